import { openInWindow } from '@assay/shared/lti/lti.ts'
import { useLocation } from 'react-router-dom'
import { messageOf } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { toast } from '../../lib/toast.ts'

/**
 * Opens the page one is at in a window of its own. That window has none of the frame's cookies, so it comes in by a one-time code, as
 * the frame did.
 */
export function useOpenInWindow(): () => Promise<void> {
  const { send } = useSend(openInWindow)
  const { pathname, search } = useLocation()
  return async () => {
    // Opened at once: after a call to the server the browser would take it for an advertisement.
    const opened = window.open('', '_blank')
    if (!opened) {
      toast.error('Your browser blocked the window. Allow pop-ups for this page and try again.')
      return
    }
    try {
      const address = new URL((await send({})).path, location.origin)
      address.searchParams.set('to', pathname + search)
      opened.location.replace(address)
    } catch (error) {
      opened.close()
      toast.error(messageOf(error, 'The window could not be opened. Please try again.'))
    }
  }
}
