import type { ComponentType } from 'react'
import { PageLoadError } from '../errors/PageLoadError.tsx'
import { loadChunk } from '../lib/loading/load-chunk.ts'

/** A page behind the guard: with the styles of the components that only stand there. */
export function signedInPage<K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) {
  return lazyPage(async () => {
    const [module] = await Promise.all([load(), import('../theme/signed-in.css')])
    return module
  }, name)
}

/** A page's module, as the router wants it. */
export async function lazyPage<K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) {
  const component = async () => (await loadChunk(load))[name]
  try {
    return { Component: await component() }
  } catch {
    // The router would cache an error for good, so that only reloading the document would help.
    return { element: <PageLoadError part={{ load: component }} /> }
  }
}
