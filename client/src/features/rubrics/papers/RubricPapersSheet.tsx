import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useRubricPapers } from './rubric-papers.tsx'

/** The papers over the questions, where there is no room beside them. */
export function RubricPapersSheet({ children }: { children: ReactNode }) {
  const { sheetOpened, setSheetOpened } = useRubricPapers()
  return (
    <Modal
      opened={sheetOpened}
      onClose={() => setSheetOpened(false)}
      title="Blank and key"
      fullScreen
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Modal>
  )
}
