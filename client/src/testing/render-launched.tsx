import type { Launch } from '@assay/shared/lti/lti.ts'
import { MantineProvider } from '@mantine/core'
import { render } from '@testing-library/react'
import { StrictMode } from 'react'
import { SWRConfig } from 'swr'
import { LaunchedApp } from '../features/lti/LaunchedApp.tsx'
import { LaunchSession } from '../features/lti/launch-session.ts'
import { ToastArea } from '../layout/ToastArea.tsx'
import { csrfStore, sessionEndedStore, tokenStore } from '../lib/session/browser-store.ts'
import { launchStore } from '../lib/session/launch.ts'
import { cssVariablesOf, theme } from '../theme/ThemeRoot.tsx'
import { themeConfig } from '../theme/theme-config.ts'
import { student, teacher } from './mock-api.ts'

/** The launch of test files with `launched` in their name (`vitest.config.ts`). */
export const LAUNCH_ID = 'launch-0001'

/** An instructor's, from Canvas, with course and assignment. */
export function buildLaunch(part: Partial<Launch> = {}): Launch {
  return {
    id: LAUNCH_ID,
    platform: { name: 'Lindenhof Canvas', lms: 'canvas' },
    role: 'instructor',
    purpose: 'open',
    path: '/courses/7',
    course_id: 7,
    assignment_id: 5,
    context_title: 'Biology, spring',
    link_title: 'Quiz 3',
    parent_origin: 'https://lms.example',
    return_url: 'https://lms.example/courses/1',
    lms_administrator: null,
    limited_to_lms: false,
    can_join_account: false,
    ...part,
  }
}

export const launchTokenReply = (launch: Launch) => ({
  access_token: 'token-of-launch',
  token_type: 'bearer' as const,
  launch,
  user: { ...(launch.role === 'student' ? student : teacher), from_lms: true },
  csrf_token: 'csrf-of-launch',
  first_replies: [],
})

export function renderLaunched(path: string) {
  for (const store of [launchStore, tokenStore, csrfStore, sessionEndedStore]) store.set(null)
  history.replaceState(null, '', `/l/${LAUNCH_ID}${path}`)
  const entry = new LaunchSession()
  return render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariablesOf(themeConfig)} env="test">
        <ToastArea />
        <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false, dedupingInterval: 0 }}>
          <LaunchedApp entry={entry} />
        </SWRConfig>
      </MantineProvider>
    </StrictMode>,
  )
}
