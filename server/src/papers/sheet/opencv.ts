import { createRequire } from 'node:module'

export type OpenCv = typeof import('@techstark/opencv-js')
export type Mat = InstanceType<OpenCv['Mat']>
export type Own = <D extends { delete(): void }>(one: D) => D
let loading: Promise<OpenCv> | undefined

/** 35 MB of WASM and a quarter of a second, so only the first picture of a process loads it. */
function loadOpenCv(): Promise<OpenCv> {
  // An import would scan 13 MB for names; the package's types describe what its promise resolves to.
  loading ??= Promise.resolve(createRequire(import.meta.url)('@techstark/opencv-js') as Promise<OpenCv>)
  return loading
}

/** OpenCV's memory is not garbage-collected: what `own` was given is deleted at the end. */
export async function withOpenCv<T>(use: (cv: OpenCv, own: Own) => T): Promise<T> {
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
