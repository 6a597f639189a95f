import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useRubricPapers } from './rubric-papers.tsx'

export function RubricPapersSheet({ children }: { children: ReactNode }) {
  const { sheetOpened, setSheetOpened } = useRubricPapers()
  return (
    <Modal opened={sheetOpened} onClose={() => setSheetOpened(false)} title="Blank and key" fullScreen>
      {children}
    </Modal>
  )
}
