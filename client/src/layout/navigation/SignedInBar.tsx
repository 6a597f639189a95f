import type { Role, User } from '@assay/shared/users.ts'
import { ActionIcon, Drawer, Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustments, IconChevronDown, IconLogout, IconMenu2, IconSettings, IconUser } from '@tabler/icons-react'
import { Link, NavLink } from 'react-router-dom'
import { InitialsAvatar } from '../../components/display/InitialsAvatar.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { DisplaySettings } from '../../theme/DisplaySettings.tsx'
import classes from './SignedInBar.module.css'

/** More need a wide screen to stand in one line. */
const MAX_INLINE_ITEMS = 5

export function SignedInBar({ user }: { user: User }) {
  const [open, drawer] = useDisclosure(false)
  const items = navigation.filter((item) => item.roles.includes(user.role))
  const many = items.length > MAX_INLINE_ITEMS
  return (
    <>
      <nav aria-label="Main" className={classes.inline} data-many={many || undefined}>
        {items.map((item) => (
          <NavLink key={item.to} to={item.to} className={classes.link}>
            {item.label}
          </NavLink>
        ))}
      </nav>
      <div className={classes.end}>
        <UserMenu user={user} />
        <ActionIcon
          className={classes.burger}
          data-many={many || undefined}
          color="gray"
          size={44}
          aria-label="Open menu"
          aria-expanded={open}
          onClick={drawer.open}
        >
          <IconMenu2 size={22} />
        </ActionIcon>
      </div>
      <Drawer
        opened={open}
        onClose={drawer.close}
        position="right"
        size="18rem"
        title="Menu"
        closeButtonProps={{ 'aria-label': 'Close menu' }}
      >
        <nav aria-label="Main" className={classes.slideIn}>
          {items.map((item) => (
            <NavLink key={item.to} to={item.to} className={classes.link} onClick={drawer.close}>
              {item.label}
            </NavLink>
          ))}
        </nav>
      </Drawer>
    </>
  )
}

const roleNames = { student: 'Student', instructor: 'Instructor', admin: 'Administrator' }

function UserMenu({ user }: { user: User }) {
  const session = useSession()
  const [display, displaySettings] = useDisclosure(false)
  return (
    <>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <UnstyledButton className={classes.target}>
            <InitialsAvatar name={user.full_name ?? user.username} />
            <VisuallyHidden>Account of</VisuallyHidden>
            <span className={classes.name}>{user.username}</span>
            <IconChevronDown size={16} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <div className={classes.who}>
            <strong>{user.username}</strong>
            <span>
              {roleNames[user.role]} · ID {user.id}
            </span>
            {user.email && <span className={classes.email}>{user.email}</span>}
          </div>
          <Menu.Divider />
          <Menu.Item
            component={Link}
            to={user.role === 'student' ? '/student/profile' : '/instructor/profile'}
            leftSection={<IconUser size={18} aria-hidden />}
          >
            Profile Settings
          </Menu.Item>
          {user.role === 'admin' && (
            <Menu.Item component={Link} to="/admin/settings" leftSection={<IconSettings size={18} aria-hidden />}>
              Admin Settings
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconAdjustments size={18} aria-hidden />} onClick={displaySettings.open}>
            Display settings
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={18} aria-hidden />} onClick={() => void session.signOut()}>
            Sign Out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <DisplaySettings opened={display} onClose={displaySettings.close} />
    </>
  )
}

const navigation: { label: string; to: string; roles: readonly Role[] }[] = [
  { label: 'Dashboard', to: '/dashboard', roles: ['instructor', 'admin'] },
  { label: 'Courses', to: '/courses', roles: ['instructor', 'admin'] },
  { label: 'Create Assignment', to: '/create-assignment', roles: ['instructor', 'admin'] },
  { label: 'Dashboard', to: '/student/dashboard', roles: ['student'] },
  { label: 'My Courses', to: '/student/courses', roles: ['student'] },
  { label: 'Admin Dashboard', to: '/admin/dashboard', roles: ['admin'] },
  { label: 'User Management', to: '/admin/users', roles: ['admin'] },
  { label: 'System Settings', to: '/admin/settings', roles: ['admin'] },
  { label: 'LMS', to: '/admin/lms', roles: ['admin'] },
  { label: 'Audit Log', to: '/admin/audit', roles: ['admin'] },
]
