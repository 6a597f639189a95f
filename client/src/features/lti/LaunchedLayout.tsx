import { type Launch, openInWindow } from '@assay/shared/lti/lti.ts'
import { Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustments, IconExternalLink, IconLogout, IconShieldLock, IconUser } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef } from 'react'
import { Link, matchPath, Outlet, ScrollRestoration, useLocation, useNavigationType } from 'react-router-dom'
import { MoreMenu } from '../../components/display/MoreMenu.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { PageErrorBoundary } from '../../errors/PageErrorBoundary.tsx'
import { forgetFirstHeading } from '../../layout/FirstHeading.tsx'
import frame from '../../layout/Layout.module.css'
import { useFocusOnNavigation } from '../../layout/useFocusOnNavigation.ts'
import { useRoleAttribute } from '../../layout/useRoleAttribute.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { isInIframe, launchHomePath, useLaunch } from '../../lib/session/launch.ts'
import { launchBasePath } from '../../lib/session/launch-path.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast, tryWithToast } from '../../lib/toast.ts'
import {
  coursePath,
  studentAssignmentPath,
  studentCourseGradesPath,
  studentCoursePath,
  submissionsPath,
} from '../../paths.ts'
import { DisplaySettings } from '../../theme/DisplaySettings.tsx'
import classes from './LaunchedLayout.module.css'

const listsOfCourses = /^\/((student\/)?(dashboard|courses|grades)|lti\/set-up)$/

export function LaunchedLayout() {
  const { pathname } = useLocation()
  const launch = useLaunch()
  const root = useRef<HTMLDivElement>(null)
  const main = useFocusOnNavigation()
  useFrameHeight(root, launch)
  useScrollFrameToTop(launch)
  useEffect(forgetFirstHeading, [])
  return (
    <div ref={root} className={classes.root}>
      <a className={frame.skip} href="#main">
        Skip to content
      </a>
      {launch && <LaunchBar launch={launch} />}
      <main id="main" ref={main} tabIndex={-1} className={frame.main}>
        <PageErrorBoundary key={pathname}>
          {launch?.limited_to_lms && listsOfCourses.test(pathname) && (
            <Page>
              <Notice>
                Only your courses from {launch.platform.name} are shown. To see the others,{' '}
                <Link to="/lti/account">sign in with your password</Link>.
              </Notice>
            </Page>
          )}
          <Outlet />
        </PageErrorBoundary>
      </main>
      <ScrollRestoration storageKey={`assay-places ${launchBasePath}`} />
    </div>
  )
}

function LaunchBar({ launch }: { launch: Launch }) {
  useRoleAttribute(launch.role)
  const { pathname } = useLocation()
  const places = navItemsOf(launch, pathname)
  return (
    <header className={classes.bar} data-bar>
      {places.length > 0 && (
        <nav aria-label="This course" className={classes.places}>
          {places.map(({ label, to, within, whole }) => (
            <Link
              key={to}
              to={to}
              aria-current={matchPath({ path: within ?? to, end: whole ?? false }, pathname) ? 'page' : undefined}
            >
              {label}
            </Link>
          ))}
        </nav>
      )}
      <div className={classes.end}>
        <LaunchMenu launch={launch} />
      </div>
    </header>
  )
}

function LaunchMenu({ launch }: { launch: Launch }) {
  const session = useSession()
  const openInWindow = useOpenInWindow()
  const [display, displaySettings] = useDisclosure(false)
  const profile = launch.role === 'student' ? '/student/profile' : '/instructor/profile'
  return (
    <>
      <MoreMenu label="More" width={240} color="gray" size={44} iconSize={20}>
        {session.status === 'signedIn' && (
          <div className={classes.who}>
            <strong>{session.user.full_name ?? session.user.username}</strong>
            {roleLabel(launch)} · {launch.platform.name}
          </div>
        )}
        <Menu.Divider />
        {isInIframe() && launch.purpose !== 'deep_link' && (
          <Menu.Item leftSection={<IconExternalLink size={18} aria-hidden />} onClick={() => void openInWindow()}>
            Open in a new window
          </Menu.Item>
        )}
        <Menu.Item component={Link} to={profile} leftSection={<IconUser size={18} aria-hidden />}>
          Profile Settings
        </Menu.Item>
        <Menu.Item leftSection={<IconAdjustments size={18} aria-hidden />} onClick={displaySettings.open}>
          Display settings
        </Menu.Item>
        <Menu.Item component={Link} to="/privacy" leftSection={<IconShieldLock size={18} aria-hidden />}>
          Privacy
        </Menu.Item>
        {/* Logging out of the LMS does not end this session, and at a shared computer somebody else comes next. */}
        <Menu.Item leftSection={<IconLogout size={18} aria-hidden />} onClick={() => void session.signOut()}>
          Sign Out
        </Menu.Item>
      </MoreMenu>
      <DisplaySettings opened={display} onClose={displaySettings.close} />
    </>
  )
}

function roleLabel({ purpose, role }: Launch): string {
  if (purpose === 'no_role') return 'No role in this course'
  return role === 'student' ? 'Student' : 'Instructor'
}

interface NavItem {
  label: string
  to: string
  /** Its pages are those below this address, where it is not `to`. */
  within?: string
  whole?: boolean
}

const homeLabels = {
  set_up: 'Set up',
  deep_link: 'Add assignments',
  waiting: 'Back',
  no_role: 'Back',
  student_view: 'Back',
  open: 'Dashboard',
}

function navItemsOf(launch: Launch, pathname: string): NavItem[] {
  const { purpose, role, assignment_id, course_id } = launch
  // Until something is settled, or without a course, there is one place to be.
  if (purpose !== 'open' || course_id === null) {
    const to = launchHomePath(launch)
    return [to, '/create-assignment'].includes(pathname) ? [] : [{ label: homeLabels[purpose], to }]
  }
  const ofAssignment = (label: string, pathOf: (assignmentId: number) => string, within = pathOf) =>
    assignment_id === null ? [] : [{ label, to: pathOf(assignment_id), within: within(assignment_id) }]
  if (role === 'student') {
    return [
      ...ofAssignment('This assignment', studentAssignmentPath),
      { label: 'Course', to: studentCoursePath(course_id), whole: true },
      { label: 'Grades', to: studentCourseGradesPath(course_id) },
    ]
  }
  return [
    ...ofAssignment('Submissions', submissionsPath, (id) => `/assignments/${id}`),
    { label: 'Course', to: coursePath(course_id), whole: true },
    { label: 'Roster', to: coursePath(course_id, 'roster') },
    { label: 'Gradebook', to: coursePath(course_id, 'gradebook') },
    { label: 'Analytics', to: coursePath(course_id, 'analytics') },
  ]
}

/** A new window lacks the frame's cookies, so it enters by a one-time code. */
function useOpenInWindow(): () => Promise<void> {
  const { send } = useSend(openInWindow)
  const { pathname, search } = useLocation()
  return async () => {
    // Opened at once: after a server call the browser would block it as a pop-up.
    const opened = window.open('', '_blank')
    if (!opened) {
      toast.error('Your browser blocked the window. Allow pop-ups for this page and try again.')
      return
    }
    const isOpen = await tryWithToast('The window could not be opened. Please try again.', async () => {
      const address = new URL((await send({})).path, location.origin)
      address.searchParams.set('to', pathname + search)
      opened.location.replace(address)
    })
    if (!isOpen) opened.close()
  }
}

/** In px; lower, a dialog would have no room. */
const MIN_HEIGHT = 480
/** Roughly what browser and LMS take of the window. */
const WINDOW_CHROME_HEIGHT = 220

/** In px: a frame cannot see its window, and a dialog in a taller one would be out of sight. */
export const maxFrameHeight = (given: number, { outerHeight }: Pick<Window, 'outerHeight'>): number =>
  Math.max(MIN_HEIGHT, given, outerHeight - WINDOW_CHROME_HEIGHT)

export function frameHeight(content: HTMLElement, most: number): number {
  if (content.querySelector('[data-fills]')) return most
  return Math.min(most, Math.max(MIN_HEIGHT, Math.ceil(content.getBoundingClientRect().height)))
}

/** Sends only the LMS the height of `content` whenever it changes. */
export function useFrameHeight(content: RefObject<HTMLElement | null>, launch: Launch | null): void {
  const origin = launch?.parent_origin ?? null
  useEffect(() => {
    const element = content.current
    if (!element || !origin || !isInIframe()) return
    const given = window.innerHeight
    let sentHeight = 0
    let due = 0
    const send = () => {
      due = 0
      const height = frameHeight(element, maxFrameHeight(given, window))
      if (height === sentHeight) return
      sentHeight = height
      window.parent.postMessage({ subject: 'lti.frameResize', height }, origin)
    }
    // Once a frame at most: arriving rows each change the height.
    const soon = () => {
      due ||= requestAnimationFrame(send)
    }
    const observer = new ResizeObserver(soon)
    observer.observe(element)
    soon()
    return () => {
      observer.disconnect()
      cancelAnimationFrame(due)
    }
  }, [content, origin])
}

/** Canvas scrolls its own page when asked. */
export function useScrollFrameToTop(launch: Launch | null): void {
  const { pathname } = useLocation()
  const how = useNavigationType()
  const last = useRef(pathname)
  const origin = launch?.platform.lms === 'canvas' ? launch.parent_origin : null
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    if (origin && how !== 'POP' && isInIframe()) window.parent.postMessage({ subject: 'lti.scrollToTop' }, origin)
  }, [pathname, how, origin])
}
