import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

/** One of the ways out of a problem; `label` names its question, where its words do not. */
export function FixButton({ label, onClick, children }: { label?: string; onClick: () => void; children: ReactNode }) {
  return (
    <Button variant="default" size="compact-sm" aria-label={label} onClick={onClick}>
      {children}
    </Button>
  )
}
