#version 330
// Radiance (linear RGB) of what is seen: lamps with their shadows and reflections, the light from all around with what
// stands in its way, and one bounce from the table. Whoever compiles it defines LAMPS, the POINTS of each and the parts of
// the sky (SKIES) that throw shadows, FACE for what has a picture on it, COAT where something has clear lacquer (as rough
// as COAT_ROUGHNESS), and OPEN for what lies far from the board, on which there are no shadows but that of a head.
const float PI = 3.14159265;
const float F0 = 0.04;           // of lacquer: what it reflects straight on

#ifdef FACE
uniform sampler2D face;
#endif
uniform vec3 eye;

uniform vec3 lamp_at[LAMPS];     // its middle
uniform vec3 lamp_right[LAMPS];  // half of its side, as vectors
uniform vec3 lamp_up[LAMPS];
uniform vec3 lamp_light[LAMPS];  // radiance of white at the board's middle, turned to it
uniform mat4 lamp_maps[LAMPS * POINTS];  // from the world to the maps of their shadows, in one picture
uniform sampler2DShadow lamp_shadows;

uniform vec3 sky_from[SKIES];    // unit vectors
uniform mat4 sky_maps[SKIES];
uniform sampler2DShadow sky_shadows;
uniform vec3 ambient;
uniform vec3 bounced;            // radiance of the table in its own light

uniform float radius;            // of a ball about the board's middle, beyond which there are no shadows
uniform vec4 head;               // middle, radius; none if 0

centroid in vec3 point;
centroid in vec3 outward;
in vec2 texel;
flat in vec3 paint;
flat in vec2 gloss;
out vec4 radiance;

// Share of a lamp that a ball between it and the point leaves in sight.
float beside_head(vec3 at, float radius) {
    vec3 way = at - point;
    float far = length(way);
    vec3 along = way / far;
    float depth = dot(head.xyz - point, along);
    float off = length(head.xyz - point - depth * along);
    float wide = radius * depth / far;
    float most = min(1.0, head.w * head.w / (wide * wide));
    float hidden = most * (1.0 - smoothstep(abs(head.w - wide), head.w + wide, off));
    return head.w > 0.0 && depth > 0.0 && depth < far ? 1.0 - hidden : 1.0;
}

float schlick(float cosine) {
    float left = 1.0 - cosine, squared = left * left;
    return F0 + (1.0 - F0) * squared * squared * left;
}

// Share of an even light from all around that something so rough reflects (Karis, 2014): at a rim far less than a mirror.
float all_around(float cosine, float roughness) {
    vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float edge = min(r.x * r.x, exp2(-9.28 * cosine)) * r.x + r.y;
    return max(F0 * (r.z - 1.04 * edge) + r.w + 1.04 * edge, 0.0);
}

// What a lacquer reflects of a square lamp, by the point of it that lies nearest to the reflected ray (Karis, 2013).
float mirrored(vec3 n, vec3 to_eye, vec3 ray, int i, float roughness) {
    float half_side = length(lamp_right[i]);
    vec3 side = lamp_right[i] / half_side, up = lamp_up[i] / half_side, facing = cross(side, up);
    vec3 way = lamp_at[i] - point;
    vec3 off = ray * (abs(dot(way, facing)) / max(dot(ray, facing * sign(dot(way, facing))), 1e-4)) - way;
    vec3 nearest = way + side * clamp(dot(off, side), -half_side, half_side) + up * clamp(dot(off, up), -half_side, half_side);
    float far2 = dot(nearest, nearest), far = sqrt(far2), board2 = dot(lamp_at[i], lamp_at[i]);
    vec3 l = nearest / far, h = normalize(l + to_eye + 1e-6 * n);
    float nl = max(dot(n, l), 0.0), nv = max(dot(n, to_eye), 0.05), nh = max(dot(n, h), 0.0);
    float alpha = roughness * roughness, a2 = alpha * alpha;
    float narrow = alpha / min(1.0, alpha + half_side / (2.0 * far));
    float spread = nh * nh * (a2 - 1.0) + 1.0;
    float k = alpha / 2.0;
    float lobe = a2 * narrow * narrow * nl / (4.0 * spread * spread * (nl * (1.0 - k) + k) * (nv * (1.0 - k) + k));
    float whole = board2 * PI / (4.0 * half_side * half_side);  // what a mirror would show
    return min(lobe * board2 / far2, whole) * schlick(max(dot(h, to_eye), 0.0));
}

void main() {
    vec3 n = normalize(outward), to_eye = normalize(eye - point);
    float away = min(dot(n, to_eye), 0.0);
    n = normalize(n - 1.01 * away * to_eye);
    vec3 ray = reflect(-to_eye, n);
#ifdef FACE
    vec3 albedo = texture(face, texel, -0.5).rgb;
#else
    vec3 albedo = paint;
#endif
    float slant = max(dot(n, to_eye), 0.0), coat = 0.0;
#ifdef COAT
    coat = gloss.y * all_around(slant, COAT_ROUGHNESS);
#endif
    float under = 1.0 - coat, face_share = under * all_around(slant, gloss.x);

#ifndef OPEN
    float beyond = dot(point, point) > radius * radius ? 1.0 : 0.0;
#endif
    vec3 diffuse = vec3(0.0), glossy = vec3(0.0);
    for (int i = 0; i < LAMPS; i++) {
#ifdef OPEN
        float left = 1.0;
#else
        float left = 0.0;
        for (int k = i * POINTS; k < (i + 1) * POINTS; k++)
            left += textureProj(lamp_shadows, lamp_maps[k] * vec4(point, 1.0));
        left = max(left / float(POINTS), beyond);
#endif
        left *= beside_head(lamp_at[i], 1.13 * length(lamp_right[i]));
        vec3 way = lamp_at[i] - point;
        float far2 = dot(way, way), board2 = dot(lamp_at[i], lamp_at[i]);
        vec3 l = way * inversesqrt(far2);
        float facing = max(dot(l, lamp_at[i]), 0.0) * inversesqrt(board2);
        diffuse += lamp_light[i] * (left * facing * max(dot(n, l), 0.0) * board2 / far2);
        float shine = mirrored(n, to_eye, ray, i, gloss.x) * under;
#ifdef COAT
        shine += gloss.y * mirrored(n, to_eye, ray, i, COAT_ROUGHNESS);
#endif
        glossy += lamp_light[i] * (left * shine);
    }
    float dome = 0.5 + 0.5 * n.z;  // of the light from all around, if nothing stands in its way
#ifdef OPEN
    float open = 1.0, sky = dome;
#else
    float open = 0.0, found = 0.0, most = 1e-6;
    for (int i = 0; i < SKIES; i++) {
        float left = max(texture(sky_shadows, (sky_maps[i] * vec4(point, 1.0)).xyz), beyond);
        float cosine = max(dot(n, sky_from[i]), 0.0);
        found += left * cosine;
        most += cosine;
        open += left / float(SKIES);
    }
    float sky = dome * found / most;
#endif
    diffuse += ambient * sky + bounced * (1.0 - dome + 0.35 * (dome - sky));
    vec3 around = ray.z > 0.0 ? ambient * open : bounced;
    glossy += around * (coat + face_share);
    radiance = vec4(albedo * diffuse * (under - face_share) + glossy, 1.0);
}
