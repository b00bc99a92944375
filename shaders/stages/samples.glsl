/* Samples of a pixel (lib/coverage.h) in the hands of several invocations. */
#ifndef SAMPLES_GLSL
#define SAMPLES_GLSL

/* Joins the samples of four invocations side by side. Each of them gets all. */
pixel_samples samples_join_lanes(pixel_samples samples)
{
    for (uint stride = 1u; stride < 4u; stride <<= 1) {
        pixel_samples other;
        other.least = subgroupShuffleXor(samples.least, stride);
        other.most = subgroupShuffleXor(samples.most, stride);
        other.sum = subgroupShuffleXor(samples.sum, stride);
        other.squares = subgroupShuffleXor(samples.squares, stride);
        other.inside = subgroupShuffleXor(samples.inside, stride);
        other.inside_sum = subgroupShuffleXor(samples.inside_sum, stride);
        samples = samples_join(samples, other);
    }
    return samples;
}

#endif
