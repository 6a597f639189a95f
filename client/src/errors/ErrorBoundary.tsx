import type { ErrorReply } from '@assay/shared/http/errors.ts'
import { Component, type ErrorInfo, type ReactNode } from 'react'
import type { ApiError } from '../lib/api/api-error.ts'
import { toCrashError } from './ErrorActions.tsx'
import { automaticRetryDelay, type RetryStrategy } from './retry-policy.ts'

export interface RetryState {
  /** Missing after the last retry, and while an automatic one is pending. */
  retry: (() => void) | undefined
  tries: number
  maxRetries: number
  isAutomatic: boolean
}

interface Props {
  children: ReactNode
  name: string
  maxRetries: number
  strategy?: RetryStrategy
  beforeRetry?: () => void
  renderError: (error: ApiError, retrying: RetryState) => ReactNode
}

interface State {
  error: ApiError | null
  tries: number
}

export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, tries: 0 }
  #timer: ReturnType<typeof setTimeout> | undefined

  static getDerivedStateFromError(cause: unknown): Partial<State> {
    return { error: toCrashError(cause) }
  }

  override componentDidCatch(cause: unknown, { componentStack }: ErrorInfo) {
    reportError(this.state.error ?? toCrashError(cause), this.props.name, componentStack)
    const wait = this.#wait()
    clearTimeout(this.#timer)
    if (wait !== null) this.#timer = setTimeout(this.retry, wait)
  }

  override componentWillUnmount() {
    clearTimeout(this.#timer)
  }

  #wait(): number | null {
    const { maxRetries, strategy = 'manual' } = this.props
    return this.state.tries < maxRetries ? automaticRetryDelay(strategy, this.state.tries) : null
  }

  retry = () => {
    this.props.beforeRetry?.()
    this.setState(({ tries }) => ({ error: null, tries: tries + 1 }))
  }

  override render() {
    const { error, tries } = this.state
    if (!error) return this.props.children
    const { maxRetries, renderError } = this.props
    const automatic = this.#wait() !== null
    const retry = tries < maxRetries && !automatic ? this.retry : undefined
    return renderError(error, { retry, tries, maxRetries, isAutomatic: automatic })
  }
}

/** A school's own script may set one; without it nothing leaves the browser. */
interface ErrorReporter {
  report(error: ErrorReply, where: { boundary: string; cause?: unknown; componentStack?: string }): void
}

declare global {
  interface Window {
    assayErrorReporter?: ErrorReporter
  }
}

export function reportError(error: ApiError, boundary: string, componentStack?: string | null): void {
  try {
    window.assayErrorReporter?.report(error.reply, {
      boundary,
      cause: error.cause,
      ...(componentStack ? { componentStack } : {}),
    })
  } catch (cause) {
    console.error('The error reporter failed', cause)
  }
}
