import type { ComponentType } from 'react'
import { PageLoadError } from '../errors/PageLoadError.tsx'
import { loadChunk } from '../lib/loading/load-chunk.ts'

/** A page behind the guard: with the styles of the components that only stand there. */
export function page<K extends string>(path: string, load: () => Promise<Record<K, ComponentType>>, name: K) {
  const loadStyled = async () => {
    const [module] = await Promise.all([load(), import('../theme/signed-in.css')])
    return module
  }
  return publicPage(path, loadStyled, name)
}

export function publicPage<K extends string>(path: string, load: () => Promise<Record<K, ComponentType>>, name: K) {
  const component = async () => (await loadChunk(load))[name]
  const lazy = async () => {
    try {
      return { Component: await component() }
    } catch {
      // The router would cache an error for good, so that only reloading the document would help.
      return { element: <PageLoadError part={{ load: component }} /> }
    }
  }
  return { path, lazy }
}
