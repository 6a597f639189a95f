import { createRequire } from 'node:module'

export type OpenCv = typeof import('@techstark/opencv-js')

let loading: Promise<OpenCv> | undefined

/** OpenCV with its WASM, from its package: 35 MB and a quarter of a second, so only the first picture of a process loads it. */
export function loadOpenCv(): Promise<OpenCv> {
  // The package's types describe the module that its promise resolves to. Required, as an import would scan 13 MB for names first.
  loading ??= Promise.resolve(createRequire(import.meta.url)('@techstark/opencv-js') as Promise<OpenCv>)
  return loading
}

/** What OpenCV allocates is never collected: everything created by `own` is deleted at the end. */
export async function withOpenCv<T>(
  use: (cv: OpenCv, own: <D extends { delete(): void }>(one: D) => D) => T,
): Promise<T> {
  const cv = await loadOpenCv()
  const owned: { delete(): void }[] = []
  try {
    return use(cv, (one) => {
      owned.push(one)
      return one
    })
  } finally {
    for (const one of owned.reverse()) one.delete()
  }
}
