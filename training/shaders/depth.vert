#version 330
// A corner of something that throws a shadow, in world mm (x east, y north, z up), as a lamp sees it.
uniform mat4 seen_from;

in vec3 corner;
in vec3 place;  // of each thing: where it stands
in vec2 turn;   // cosine and sine of its turn, anticlockwise

void main() {
    vec3 turned = vec3(turn.x * corner.x - turn.y * corner.y, turn.y * corner.x + turn.x * corner.y, corner.z);
    gl_Position = seen_from * vec4(turned + place, 1.0);
}
