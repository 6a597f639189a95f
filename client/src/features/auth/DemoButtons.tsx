import { getDemo } from '@assay/shared/auth.ts'
import { Button } from '@mantine/core'
import { useGet } from '../../lib/api/api-hooks.ts'
import classes from './auth.module.css'

/** Shown only where the server offers demo accounts: on somebody's own machine. */
export function DemoButtons({ busy, choose }: { busy: boolean; choose: (role: 'instructor' | 'student') => void }) {
  const demo = useGet(getDemo)
  const accounts = demo.data?.accounts ?? []
  if (accounts.length === 0) return null
  return (
    <section className={classes.demo} aria-label="Demo">
      {accounts.map(({ role }) => (
        <Button key={role} variant="default" size="md" fullWidth disabled={busy} onClick={() => choose(role)}>
          Try the demo as {role}
        </Button>
      ))}
    </section>
  )
}
