import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { ErrorActions, errorTitle } from '../../errors/ErrorActions.tsx'
import type { ApiError } from '../../lib/api/api-error.ts'
import classes from './Toasts.module.css'

export { notifications } from '@mantine/notifications'

export const errorToast = (error: ApiError) => ({
  id: `${error.code} ${error.message}`,
  title: errorTitle(error),
  message: <ErrorToast error={error} />,
  // With buttons it stays until it is closed (WCAG 2.2.1).
  autoClose: false as const,
})

function useToastAreaHeight(): void {
  useEffect(() => {
    const list = document.querySelector<HTMLElement>(`.${classes.root}[data-position="bottom-right"]`)
    if (!list) return
    const tell = () => {
      const { height } = list.getBoundingClientRect()
      const room = height > 0 ? `${MARGIN + Math.ceil(height) + GAP}px` : '0px'
      document.documentElement.style.setProperty('--toasts-room', room)
    }
    const observer = new ResizeObserver(tell)
    observer.observe(list)
    return () => {
      observer.disconnect()
      document.documentElement.style.removeProperty('--toasts-room')
    }
  }, [])
}

const GAP = 8
/** From the window's lower edge while a dialog is open, in pixels; the style sheet has it too. */
const MARGIN = 16

export default function Toasts() {
  useToastAreaHeight()
  // Mantine would mount it a moment later, and the list is watched from the start.
  return createPortal(
    <Notifications
      position="bottom-right"
      autoClose={5000}
      limit={4}
      zIndex={400}
      withinPortal={false}
      classNames={{ root: classes.root }}
    />,
    document.body,
  )
}

function ErrorToast({ error }: { error: ApiError }) {
  return (
    <>
      {error.message}
      <ErrorActions error={error} />
    </>
  )
}
