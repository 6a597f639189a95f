import { type ComponentType, useCallback, useEffect, useState } from 'react'
import { ErrorDetails } from '../errors/ErrorDetails.tsx'
import { ApiError } from '../lib/api/api-error.ts'
import { loadChunk } from '../lib/loading/load-chunk.ts'

/** A page behind the guard, with the styles that only signed-in screens need. */
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
      // The router would cache an error until the document is reloaded.
      return { element: <PageLoadError part={{ load: component }} /> }
    }
  }
  return { path, lazy }
}

interface PageChunk {
  load: () => Promise<ComponentType>
  Page?: ComponentType
}

export function PageLoadError({ part }: { part: PageChunk }) {
  const [, draw] = useState(0)
  const retry = useCallback(async () => {
    try {
      part.Page ??= await part.load()
      draw((times) => times + 1)
    } catch {
      // What is on screen stays.
    }
  }, [part])
  useEffect(() => {
    window.addEventListener('online', retry)
    return () => window.removeEventListener('online', retry)
  }, [retry])
  if (part.Page) return <part.Page />
  return (
    <ErrorDetails error={pageNotLoadedError()} title="This page could not be loaded" retry={retry} variant="page" />
  )
}

function pageNotLoadedError(): ApiError {
  const error = ApiError.of('network_error', 'Check your connection.')
  error.reply.suggestions = []
  return error
}
