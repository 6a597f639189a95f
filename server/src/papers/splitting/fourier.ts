/** A power of two that holds A4 at 1/`COARSE` scale with room. */
export const SIDE = 128

export interface Spectrum {
  re: Float32Array
  im: Float32Array
}

const cosines = new Float32Array(SIDE / 2)
const sines = new Float32Array(SIDE / 2)
for (let i = 0; i < SIDE / 2; i += 1) {
  cosines[i] = Math.cos((2 * Math.PI * i) / SIDE)
  sines[i] = -Math.sin((2 * Math.PI * i) / SIDE)
}
const reversedBits = Uint16Array.from({ length: SIDE }, (_, i) => {
  let [bits, rest] = [0, i]
  for (let size = SIDE; size > 1; size >>= 1) {
    bits = (bits << 1) | (rest & 1)
    rest >>= 1
  }
  return bits
})

/** In place (Cooley and Tukey, 1965). */
function transformLine(re: Float32Array, im: Float32Array): void {
  for (let i = 0; i < SIDE; i += 1) {
    const j = reversedBits[i] ?? 0
    if (j <= i) continue
    const [a, b] = [re[i] ?? 0, im[i] ?? 0]
    re[i] = re[j] ?? 0
    im[i] = im[j] ?? 0
    re[j] = a
    im[j] = b
  }
  for (let size = 2; size <= SIDE; size <<= 1) {
    const [half, step] = [size >> 1, SIDE / size]
    for (let start = 0; start < SIDE; start += size)
      for (let k = 0; k < half; k += 1) {
        const [c, s] = [cosines[k * step] ?? 0, sines[k * step] ?? 0]
        const [p, q] = [start + k, start + k + half]
        const [x, y] = [re[q] ?? 0, im[q] ?? 0]
        const [tr, ti] = [x * c - y * s, x * s + y * c]
        const [a, b] = [re[p] ?? 0, im[p] ?? 0]
        re[q] = a - tr
        im[q] = b - ti
        re[p] = a + tr
        im[p] = b + ti
      }
  }
}

function transform({ re, im }: Spectrum): void {
  for (let y = 0; y < SIDE; y += 1)
    transformLine(re.subarray(y * SIDE, (y + 1) * SIDE), im.subarray(y * SIDE, (y + 1) * SIDE))
  const [columnRe, columnIm] = [new Float32Array(SIDE), new Float32Array(SIDE)]
  for (let x = 0; x < SIDE; x += 1) {
    for (let y = 0; y < SIDE; y += 1) {
      columnRe[y] = re[y * SIDE + x] ?? 0
      columnIm[y] = im[y * SIDE + x] ?? 0
    }
    transformLine(columnRe, columnIm)
    for (let y = 0; y < SIDE; y += 1) {
      re[y * SIDE + x] = columnRe[y] ?? 0
      im[y * SIDE + x] = columnIm[y] ?? 0
    }
  }
}

export function spectrumOf(picture: Float32Array): Spectrum {
  const spectrum = { re: Float32Array.from(picture), im: new Float32Array(SIDE * SIDE) }
  transform(spectrum)
  return spectrum
}

/** Where `moved` fits best on `fixed` (by sum of products), best first. */
export function findShifts(
  fixed: Spectrum,
  moved: Spectrum,
  count: number,
  isPossible: (x: number, y: number) => boolean,
): { x: number; y: number; fit: number }[] {
  const product = { re: new Float32Array(SIDE * SIDE), im: new Float32Array(SIDE * SIDE) }
  for (let i = 0; i < SIDE * SIDE; i += 1) {
    const [a, b, c, d] = [fixed.re[i] ?? 0, fixed.im[i] ?? 0, moved.re[i] ?? 0, moved.im[i] ?? 0]
    // The conjugate of `fixed · conj(moved)`: transforming it forwards is the inverse transform, as the result is real.
    product.re[i] = a * c + b * d
    product.im[i] = a * d - b * c
  }
  transform(product)
  const fits = product.re
  const found: { x: number; y: number; fit: number }[] = []
  const signed = (i: number) => (i >= SIDE / 2 ? i - SIDE : i)
  for (let i = 0; i < fits.length; i += 1)
    if (!isPossible(signed(i % SIDE), signed(Math.floor(i / SIDE)))) fits[i] = Number.NEGATIVE_INFINITY
  while (found.length < count) {
    let best = 0
    for (let i = 1; i < fits.length; i += 1) if ((fits[i] ?? 0) > (fits[best] ?? 0)) best = i
    const [x, y] = [best % SIDE, Math.floor(best / SIDE)]
    if (fits[best] === Number.NEGATIVE_INFINITY) break
    found.push({ x: signed(x), y: signed(y), fit: (fits[best] ?? 0) / (SIDE * SIDE) })
    for (let dy = -2; dy <= 2; dy += 1)
      for (let dx = -2; dx <= 2; dx += 1)
        fits[((y + dy + SIDE) % SIDE) * SIDE + ((x + dx + SIDE) % SIDE)] = Number.NEGATIVE_INFINITY
  }
  return found
}
