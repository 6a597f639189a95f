import type { ReactNode } from 'react'
import type { QueryResult } from '../../lib/api/api-hooks.ts'
import { LoadError } from './LoadError.tsx'

interface Props<T> {
  query: QueryResult<T>
  /** Of the error. */
  title?: string
  /** Shown until there are data or an error. */
  skeleton: ReactNode
  children: (data: T) => ReactNode
}

/** The data of a call; a failed reload leaves those on the screen that were there. */
export function Loaded<T>({ query: { data, error, reload }, title, skeleton, children }: Props<T>) {
  if (data) return children(data)
  if (error) return <LoadError error={error} retry={reload} title={title} />
  return skeleton
}
