import type { NotificationData } from '@mantine/notifications'

/** The part that draws toasts is loaded with the first one, so that the sign-in page need not carry it. */
let wanted = false
const listeners = new Set<() => void>()

export const toastsWanted = {
  get: () => wanted,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

async function show(notification: NotificationData) {
  const { notifications } = await import('../components/Toasts.tsx')
  notifications.show({ closeButtonProps: { 'aria-label': 'Dismiss' }, ...notification })
  wanted = true
  for (const listener of listeners) listener()
}

/** A short word of what happened. Errors are read out at once, the rest when the reader is done. */
export const toast = {
  good: (message: string) => void show({ message, color: 'green.8', role: 'status' }),
  bad: (message: string) => void show({ message, color: 'red.8', role: 'alert' }),
  note: (message: string) => void show({ message, color: 'ink', role: 'status' }),
}
