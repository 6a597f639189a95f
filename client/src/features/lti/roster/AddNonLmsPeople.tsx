import { listOf } from '@assay/shared/rules/format-list.ts'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import classes from './LmsRosterPanel.module.css'

interface Props {
  lms: readonly string[]
  shown?: boolean
  children: ReactNode
}

/** Collapsed, as only guests need it, unless one of its forms is open already. */
export function AddNonLmsPeople({ lms, shown = false, children }: Props) {
  const [asked, setAsked] = useState(false)
  const names = listOf(lms)
  if (!asked && !shown) {
    return (
      <div>
        <Button variant="subtle" color="gray" className={classes.fold} onClick={() => setAsked(true)}>
          Add someone who is not in {names}…
        </Button>
      </div>
    )
  }
  return (
    <section className={classes.outsiders} aria-label={`People who are not in ${names}`}>
      <p className={classes.hint}>
        For people who are not in {names}, such as guests. Everyone else is added from {names}; adding them here would
        create a second account.
      </p>
      {children}
    </section>
  )
}

export function LmsRemovalNote() {
  return (
    <p>
      The LMS lists them, so the next sync will add them again. To remove them permanently, remove them from the course
      there.
    </p>
  )
}
