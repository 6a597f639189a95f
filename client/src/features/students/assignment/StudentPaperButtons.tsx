import { Button } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useState } from 'react'
import { DownloadPaperButton } from './DownloadPaperButton.tsx'
import { StudentPaperModal } from './StudentPaperModal.tsx'

interface Props {
  assignmentId: number
  submissionId: number
  title: string
}

/** One's own paper, to read and to keep. */
export function StudentPaperButtons(props: Props) {
  const [reading, setReading] = useState(false)
  return (
    <>
      <Button variant="subtle" leftSection={<IconFileText size={16} aria-hidden />} onClick={() => setReading(true)}>
        View your paper
      </Button>
      <DownloadPaperButton {...props} />
      <StudentPaperModal opened={reading} close={() => setReading(false)} {...props} />
    </>
  )
}
