import { notifications, notificationsStore } from '@mantine/notifications'
import { renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { gradeDrafts } from '../features/grades/grade-drafts.ts'
import { answerDrafts } from '../features/regrades/answer-drafts.ts'
import { retryTimer } from '../lib/api/http-client.ts'
import { singleKeysStore } from '../lib/hooks/useKeyboardShortcuts.ts'
import { csrfStore, tokenStore } from '../lib/session/browser-store.ts'
import { launchStore } from '../lib/session/launch.ts'
import { chooseDisplay, useDisplayChoice } from '../theme/display-choice.ts'
import { teacher } from './mock-api.ts'
import { realtime } from './realtime.ts'
import { buildLaunch } from './render-launched.tsx'
import { resetState } from './reset-state.ts'

const stores = [tokenStore, csrfStore, singleKeysStore]

it('leaves nothing of a test to the next', async () => {
  const { href } = location
  const { title } = document
  const { parent, matchMedia } = window
  for (const store of stores) store.set('off')
  gradeDrafts.save(teacher.id, 31, { score: '71', feedback: '', flagged: false })
  answerDrafts.save(teacher.id, 4, 'I looked again.')
  notifications.show({ message: 'Saved.' })
  realtime.state = 'error'
  launchStore.set(buildLaunch())
  chooseDisplay({ contrast: 'high' })
  retryTimer.wait = () => Promise.reject(new Error('of the test before'))
  vi.useFakeTimers()
  vi.stubGlobal('parent', {})
  vi.spyOn(window, 'matchMedia').mockReturnThis()
  history.replaceState(null, '', '/courses?display=embedded')
  document.title = 'Courses'
  document.documentElement.dataset.mode = 'lti-embedded'
  document.body.append('left over')

  resetState()
  expect(stores.map((store) => store.get())).toEqual([null, null, null])
  expect([localStorage.length, sessionStorage.length]).toEqual([0, 0])
  expect(answerDrafts.find(teacher.id, 4)).toBe('')
  expect(gradeDrafts.find(teacher.id, 31)).toBeNull()
  expect(notificationsStore.getState().notifications).toEqual([])
  expect(realtime.state).toBe('connected')
  expect(launchStore.get()).toBeNull()
  expect(renderHook(useDisplayChoice).result.current).toEqual({ contrast: 'system', flags: {} })
  await retryTimer.wait(1000)
  expect(vi.isFakeTimers()).toBe(false)
  expect([window.parent, window.matchMedia]).toEqual([parent, matchMedia])
  expect([location.href, document.title]).toEqual([href, title])
  expect(document.documentElement.cloneNode().isEqualNode(document.createElement('html'))).toBe(true)
  expect(document.body.textContent).toBe('')
})

it('draws frames after a fake clock too', async () => {
  vi.useFakeTimers()
  const button = document.createElement('button')
  document.body.append(button)
  button.focus()
  // jsdom looks at the next frame whether this can keep the focus.
  button.disabled = true
  vi.useRealTimers()
  await new Promise(requestAnimationFrame)
  expect(document.activeElement).toBe(document.body)
})
