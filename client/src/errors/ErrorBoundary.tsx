import { Component, type ReactNode } from 'react'
import type { ApiError } from '../lib/api-error.ts'
import { crashOf } from './error-words.ts'

interface Props {
  children: ReactNode
  /** How to show it; `retry` is missing once it has been tried often enough. */
  show: (error: ApiError, retry: (() => void) | undefined, tries: number) => ReactNode
}

interface State {
  error: ApiError | null
  tries: number
}

export const MAX_RETRIES = 3

/** Catches what a part of the screen throws while rendering. React has no hook for it. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, tries: 0 }

  static getDerivedStateFromError(cause: unknown): Partial<State> {
    return { error: crashOf(cause) }
  }

  retry = () => {
    this.setState(({ tries }) => ({ error: null, tries: tries + 1 }))
  }

  override render() {
    const { error, tries } = this.state
    if (!error) return this.props.children
    return this.props.show(error, tries < MAX_RETRIES ? this.retry : undefined, tries)
  }
}
