/* The ones of a word, for inner loops that are compiled with and without an instruction that counts
   them. */
#ifndef PAC_BITS_H
#define PAC_BITS_H

#include <stdint.h>

#define PAC_INLINE static inline __attribute__((always_inline))

PAC_INLINE uint32_t pac_bits(uint64_t x, int hardware)
{
    if (hardware)
        return (uint32_t)__builtin_popcountll(x);
    x -= (x >> 1) & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + ((x >> 2) & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    x += x >> 8;
    x += x >> 16;
    x += x >> 32;
    return (uint32_t)(x & 0x7f);
}

#endif
