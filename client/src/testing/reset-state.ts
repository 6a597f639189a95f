import { notifications } from '@mantine/notifications'
import { cleanup } from '@testing-library/react'
import { mutate } from 'swr'
import { vi } from 'vitest'
import { fieldDrafts, gradeDrafts } from '../features/grades/grade-form.ts'
import { answerDrafts } from '../features/regrades/answer-drafts.ts'
import { forgetFirstReplies } from '../lib/api/first-requests.ts'
import { retryTimer } from '../lib/api/http-client.ts'
import { launchStore } from '../lib/session/launch.ts'
import { chooseDisplay } from '../theme/display-choice.ts'
import { realtime } from './realtime.ts'

const noWait = async () => {}
retryTimer.wait = noWait

/** Before any test: that of a launch, or of Assay on its own. */
const address = location.href
const title = document.title

/** Also resets module state that outlives the screen. */
export function resetState(): void {
  cleanup()
  document.body.replaceChildren()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  if ('clock' in setTimeout) throw new Error('A spy on a fake clock brings it back whenever spies are restored')
  // Toasts are outside the rendered tree and limited in number: old ones would queue new ones.
  notifications.clean()
  notifications.cleanQueue()
  chooseDisplay({ contrast: 'system', flags: {} })
  fieldDrafts.clear()
  gradeDrafts.clear()
  answerDrafts.clear()
  forgetFirstReplies()
  launchStore.set(null)
  realtime.state = 'connected'
  retryTimer.wait = noWait
  // Answers, and then calls under way, which would be shared.
  void mutate(() => true, undefined, { revalidate: false })
  void mutate(() => true)
  localStorage.clear()
  sessionStorage.clear()
  // Clears the stores' memory as if another tab had emptied the storage.
  window.dispatchEvent(new StorageEvent('storage', { key: null }))
  history.replaceState(null, '', address)
  document.title = title
  for (const { name } of [...document.documentElement.attributes]) document.documentElement.removeAttribute(name)
}
