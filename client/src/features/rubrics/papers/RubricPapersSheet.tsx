import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './RubricPapersPane.module.css'
import { useRubricPapers } from './rubric-papers.tsx'

export function RubricPapersSheet({ children }: { children: ReactNode }) {
  const { sheetOpened, setSheetOpened } = useRubricPapers()
  return (
    <Modal opened={sheetOpened} onClose={() => setSheetOpened(false)} title="Blank and key" fullScreen>
      <div className={classes.sheet}>{children}</div>
    </Modal>
  )
}
