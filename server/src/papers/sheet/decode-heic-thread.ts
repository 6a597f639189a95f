import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

/** The package has no types. */
interface HeifImage {
  get_width(): number
  get_height(): number
  is_primary(): boolean
  display(into: { data: Uint8ClampedArray; width: number; height: number }, done: (of: unknown) => void): void
}
interface Heif {
  ready: Promise<unknown>
  HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] }
}

export type DecodedHeic = { rgba: Uint8ClampedArray; width: number; height: number } | 'damaged' | 'too_many_pixels'
const { bytes, maxPixels } = workerData as { bytes: Uint8Array; maxPixels: number }

/** sharp has no HEVC. libheif turns and mirrors as the file says. */
async function decode(): Promise<DecodedHeic> {
  const heif: Heif = createRequire(import.meta.url)('libheif-js/wasm-bundle')
  await heif.ready
  const images = new heif.HeifDecoder().decode(bytes)
  const image = images.find((one) => one.is_primary()) ?? images[0]
  const [width, height] = [image?.get_width() ?? 0, image?.get_height() ?? 0]
  if (!(image && width > 0 && height > 0)) return 'damaged'
  if (width * height > maxPixels) return 'too_many_pixels'
  const rgba = new Uint8ClampedArray(4 * width * height)
  const decoded = await new Promise((resolve) => image.display({ data: rgba, width, height }, resolve))
  return decoded ? { rgba, width, height } : 'damaged'
}

const result = await decode()
parentPort?.postMessage(result, typeof result === 'string' ? [] : [result.rgba.buffer as ArrayBuffer])
