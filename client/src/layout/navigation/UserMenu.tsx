import type { User } from '@assay/shared/users.ts'
import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustments, IconChevronDown, IconLogout, IconSettings, IconUser } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { InitialsAvatar } from '../../components/display/InitialsAvatar.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { DisplaySettings } from '../../theme/DisplaySettings.tsx'
import classes from './UserMenu.module.css'

const roleNames = { student: 'Student', instructor: 'Instructor', admin: 'Administrator' }

export function UserMenu({ user }: { user: User }) {
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
