import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'
import { titleOf } from '../errors/error-words.ts'
import type { ApiError } from '../lib/api-error.ts'
import { ErrorToast } from './ErrorToast.tsx'
import classes from './Toasts.module.css'

export { notifications } from '@mantine/notifications'

/** A structured error as a toast: title, words, and what can be done about it. */
export const errorToast = (error: ApiError) => ({
  // The same failure stands there once.
  id: `${error.code} ${error.message}`,
  title: titleOf(error),
  message: <ErrorToast error={error} />,
  // It has buttons: whoever needs time to reach them has it (WCAG 2.2.1).
  autoClose: false as const,
})

/** Bottom right, above everything. */
export default function Toasts() {
  return (
    <Notifications
      position="bottom-right"
      autoClose={5000}
      limit={4}
      zIndex={400}
      classNames={{ root: classes.root }}
    />
  )
}
