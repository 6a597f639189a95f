import { Button } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useState } from 'react'
import { DownloadPaper } from './DownloadPaper.tsx'
import { OwnPaperModal } from './OwnPaperModal.tsx'

interface Props {
  assignmentId: number
  submissionId: number
  title: string
}

/** One's own paper, to read and to keep. */
export function OwnPaper(props: Props) {
  const [reading, setReading] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        leftSection={<IconFileText size={16} aria-hidden />}
        onClick={() => setReading(true)}
      >
        View your paper
      </Button>
      <DownloadPaper {...props} />
      <OwnPaperModal opened={reading} close={() => setReading(false)} {...props} />
    </>
  )
}
