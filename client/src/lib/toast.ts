import type { NotificationData } from '@mantine/notifications'
import { type ApiError, messageOf } from './api/api-error.ts'
import { loadChunk } from './loading/load-chunk.ts'

type ToastRenderer = typeof import('../components/feedback/Toasts.tsx')

/** Shown without the renderer. */
interface PlainToast {
  id: number
  message: string
  isError: boolean
}

interface ToastState {
  /** Null until one is wanted and loaded. */
  renderer: ToastRenderer | null
  plainToasts: readonly PlainToast[]
}

/** After this the sentence is shown without the renderer. */
const RENDERER_TIMEOUT_MS = 2500
const PLAIN_TOAST_MS = 8000

let state: ToastState = { renderer: null, plainToasts: [] }
let lastId = 0
const listeners = new Set<() => void>()

function updateState(next: Partial<ToastState>) {
  state = { ...state, ...next }
  for (const listener of listeners) listener()
}

export const toastState = {
  get: () => state,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Loaded after the first screen, but before it is needed: then the server may be gone. */
export const loadToasts = (): Promise<ToastRenderer> => loadChunk(() => import('../components/feedback/Toasts.tsx'))

async function show(
  message: string,
  how: NotificationData['role'],
  color: string,
  draw: (drawer: ToastRenderer) => Partial<NotificationData> = () => ({}),
) {
  try {
    const drawer = await withTimeout(loadToasts())
    drawer.notifications.show({
      closeButtonProps: { 'aria-label': 'Dismiss' },
      message,
      color,
      role: how,
      ...draw(drawer),
    })
    if (!state.renderer) updateState({ renderer: drawer })
  } catch {
    showPlainToast(message, how === 'alert')
  }
}

function withTimeout<T>(promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The toasts could not be loaded')), RENDERER_TIMEOUT_MS)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function showPlainToast(words: string, bad: boolean) {
  const id = ++lastId
  updateState({
    plainToasts: [...state.plainToasts.filter((one) => one.message !== words), { id, message: words, isError: bad }],
  })
  setTimeout(() => updateState({ plainToasts: state.plainToasts.filter((one) => one.id !== id) }), PLAIN_TOAST_MS)
}

/** Errors are read out at once, the rest when the reader is done. */
export const toast = {
  success: (message: string) => void show(message, 'status', 'green.8'),
  error: (message: string) => void show(message, 'alert', 'red.8'),
  /** The same error is shown once, until it is dismissed. */
  apiError: (error: ApiError) => void show(error.message, 'alert', 'red.8', (drawer) => drawer.errorToast(error)),
  info: (message: string) => void show(message, 'status', 'ink'),
}

/** True once done; a failure is told in a toast. */
export async function tryWithToast(otherwise: string, action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action()
    return true
  } catch (error) {
    toast.error(messageOf(error, otherwise))
    return false
  }
}
