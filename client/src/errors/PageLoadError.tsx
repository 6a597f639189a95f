import { type ComponentType, useCallback, useEffect, useState } from 'react'
import { ApiError } from '../lib/api/api-error.ts'
import { ErrorDetails } from './ErrorDetails.tsx'

interface PageChunk {
  load: () => Promise<ComponentType>
  Page?: ComponentType
}

/** Shown for a page whose code could not be loaded; replaced by the page once it is. */
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
