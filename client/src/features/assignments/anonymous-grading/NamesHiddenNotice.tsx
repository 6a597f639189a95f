import type { Assignment } from '@assay/shared/assignments.ts'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { ShowNamesModal } from './ShowNamesModal.tsx'

interface Props {
  assignment: Assignment
  children: ReactNode
}

export function NamesHiddenNotice({ assignment, children }: Props) {
  const [asking, setAsking] = useState(false)
  if (!assignment.anonymous?.names_hidden) return null
  return (
    <>
      <Notice
        actions={
          <Button variant="default" size="xs" onClick={() => setAsking(true)}>
            Show Names
          </Button>
        }
      >
        {children}
      </Notice>
      <ShowNamesModal assignment={assignment} opened={asking} close={() => setAsking(false)} />
    </>
  )
}
