import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Notice } from '../../../components/feedback/Notice.tsx'

export function RemovedNotice({ children, bringBack }: { children: ReactNode; bringBack: () => void }) {
  return (
    <Notice
      actions={
        <Button variant="default" onClick={bringBack}>
          Undo
        </Button>
      }
    >
      {children}
    </Notice>
  )
}
