import type { User } from '@assay/shared/users.ts'
import { ActionIcon, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMenu2 } from '@tabler/icons-react'
import { NavLink } from 'react-router-dom'
import { navigation } from './navigation.ts'
import classes from './SignedInBar.module.css'
import { UserMenu } from './UserMenu.tsx'

/** More items than these need a wide screen to stand in one line. */
const MAX_INLINE_ITEMS = 5

/** The bar's part for those signed in: pages by role, and who they are. On a phone the pages slide in. */
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
          variant="subtle"
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
