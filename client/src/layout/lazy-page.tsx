import type { ComponentType } from 'react'
import { MissingPage } from '../errors/MissingPage.tsx'
import { loadPart } from '../lib/load-part.ts'

/** A page behind the guard: with the styles of the components that only stand there. */
export function inside<K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) {
  return page(async () => {
    const [module] = await Promise.all([load(), import('../theme/signed-in.css')])
    return module
  }, name)
}

/** A page's module, as the router wants it. */
export async function page<K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) {
  const component = async () => (await loadPart(load))[name]
  try {
    return { Component: await component() }
  } catch {
    // The router would keep a failure for good, so that only loading the whole document would help.
    return { element: <MissingPage part={{ load: component }} /> }
  }
}
