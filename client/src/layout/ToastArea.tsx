import { useEffect, useSyncExternalStore } from 'react'
import { tokenStore } from '../lib/session/browser-store.ts'
import { loadToasts, toastState } from '../lib/toast.ts'
import classes from './ToastArea.module.css'

/** Shows plain words while the toast renderer is not loaded. */
export function ToastArea() {
  const { renderer, plainToasts } = useSyncExternalStore(toastState.subscribe, toastState.get)
  useEffect(loadWhenIdle, [])
  const Toasts = renderer?.default
  const words = (bad: boolean) =>
    plainToasts
      .filter((one) => one.isError === bad)
      .map(({ id, message }) => (
        <p key={id} data-bad={bad || undefined}>
          {message}
        </p>
      ))
  return (
    <>
      {Toasts && <Toasts />}
      <div className={classes.plain}>
        {/* Always present, so that screen readers announce what is added. */}
        <div aria-live="polite">{words(false)}</div>
        <div aria-live="assertive">{words(true)}</div>
      </div>
    </>
  )
}

const IDLE_MS = 2000

/** When idle, for users who are signed in or have begun to do something on a public page. */
function loadWhenIdle(): () => void {
  const over = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const later = () => {
    // The first toast tries again.
    timer ??= setTimeout(() => void loadToasts().catch(() => undefined), IDLE_MS)
  }
  if (tokenStore.get()) later()
  const stop = tokenStore.subscribe(later)
  for (const event of ['pointerdown', 'keydown'] as const)
    document.addEventListener(event, later, { once: true, signal: over.signal })
  return () => {
    over.abort()
    stop()
    clearTimeout(timer)
  }
}
