import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'
import classes from './Toasts.module.css'

export { notifications } from '@mantine/notifications'

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
