#version 330
// A corner of something that stands on the table, in world mm (x east, y north, z up), as a pinhole camera or a lamp sees it.
uniform mat4 seen_from;

in vec3 corner;
in vec3 normal;
in vec2 at_texture;
in vec3 place;    // of each thing: where it stands
in vec2 turn;     // cosine and sine of its turn, anticlockwise
in vec3 albedo;
in vec2 lacquer;  // roughness, coat

centroid out vec3 point;
centroid out vec3 outward;
out vec2 texel;
flat out vec3 paint;
flat out vec2 gloss;

vec3 turned(vec3 v) { return vec3(turn.x * v.x - turn.y * v.y, turn.y * v.x + turn.x * v.y, v.z); }

void main() {
    point = turned(corner) + place;
    outward = turned(normal);
    texel = at_texture;
    paint = albedo;
    gloss = lacquer;
    gl_Position = seen_from * vec4(point, 1.0);
}
