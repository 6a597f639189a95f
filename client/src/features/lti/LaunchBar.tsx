import type { Launch } from '@assay/shared/lti/lti.ts'
import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustments, IconDots, IconExternalLink, IconLogout, IconShieldLock, IconUser } from '@tabler/icons-react'
import { Link, matchPath, useLocation } from 'react-router-dom'
import { useRoleAttribute } from '../../layout/useRoleAttribute.ts'
import { isInIframe, launchHomePath } from '../../lib/session/launch.ts'
import { useSession } from '../../lib/session/session.tsx'
import { DisplaySettings } from '../../theme/DisplaySettings.tsx'
import classes from './LaunchedLayout.module.css'
import { useOpenInWindow } from './useOpenInWindow.ts'

/** The places of this course, and a menu with what is about oneself. The LMS has the rest, signing out too. */
export function LaunchBar({ launch }: { launch: Launch }) {
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
        <MoreMenu launch={launch} />
      </div>
    </header>
  )
}

function MoreMenu({ launch }: { launch: Launch }) {
  const session = useSession()
  const openInWindow = useOpenInWindow()
  const [display, displaySettings] = useDisclosure(false)
  const profile = launch.role === 'student' ? '/student/profile' : '/instructor/profile'
  return (
    <>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={44} aria-label="More">
            <IconDots size={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
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
        </Menu.Dropdown>
      </Menu>
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
  /** The place's pages are those below this address, where it is not `to`. */
  within?: string
  /** Only that page, not those below it. */
  whole?: boolean
}

const homeLabels = {
  set_up: 'Set up',
  deep_link: 'Add assignments',
  waiting: 'Back',
  no_role: 'Back',
  open: 'Dashboard',
}

function navItemsOf(launch: Launch, pathname: string): NavItem[] {
  const { purpose, role, assignment_id, course_id } = launch
  // While something is to be settled first, or no course is known, there is one place to be.
  if (purpose !== 'open' || course_id === null) {
    const to = launchHomePath(launch)
    // What is created on the way has its own way back, which remembers more.
    return [to, '/create-assignment'].includes(pathname) ? [] : [{ label: homeLabels[purpose], to }]
  }
  const ofAssignment = (label: string, to: string, within = to) =>
    assignment_id === null ? [] : [{ label, to, within }]
  if (role === 'student') {
    return [
      ...ofAssignment('This assignment', `/student/assignments/${assignment_id}`),
      { label: 'Course', to: `/student/courses/${course_id}`, whole: true },
      { label: 'Grades', to: `/student/courses/${course_id}/grades` },
    ]
  }
  return [
    // Grading by question, the rubric and the checks are reached from there.
    ...ofAssignment('Submissions', `/assignments/${assignment_id}/submissions`, `/assignments/${assignment_id}`),
    { label: 'Course', to: `/courses/${course_id}`, whole: true },
    { label: 'Roster', to: `/courses/${course_id}/roster` },
    { label: 'Analytics', to: `/courses/${course_id}/analytics` },
  ]
}
