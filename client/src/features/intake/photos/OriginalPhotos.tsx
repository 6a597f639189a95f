import { downloadSubmissionPhoto, getSubmissionPhoto, type Submission } from '@assay/shared/submissions.ts'
import { Modal } from '@mantine/core'
import { IconDownload, IconPhoto } from '@tabler/icons-react'
import { useState } from 'react'
import { SubtleButton } from '../../../components/display/buttons.tsx'
import { ToolButton } from '../../../components/display/ToolButton.tsx'
import { useFileExport } from '../../../components/files/useFileExport.ts'
import { downloadFile } from '../../../lib/api/api-hooks.ts'
import { usePicture } from '../../../lib/api/usePicture.ts'
import { useSeen } from '../../../lib/hooks/useSeen.ts'
import classes from './OriginalPhotos.module.css'

type PhotographedPaper = Pick<Submission, 'assignment_id' | 'id' | 'photos'>

/** Cropping may have cut something off. */
export function OriginalPhotos({ submission }: { submission: PhotographedPaper }) {
  const [opened, setOpened] = useState(false)
  const { photos = [] } = submission
  if (photos.length === 0) return null
  const label = photos.length === 1 ? 'Original photo' : 'Original photos'
  return (
    <>
      <ToolButton label={label} onClick={() => setOpened(true)}>
        <IconPhoto size={18} />
      </ToolButton>
      <Modal opened={opened} onClose={() => setOpened(false)} title={label} size="xl">
        <ol className={classes.photos}>
          {photos.map(({ type }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a photo is its page
            <OriginalPhoto key={i} submission={submission} number={i + 1} type={type} />
          ))}
        </ol>
      </Modal>
    </>
  )
}

interface PhotoProps {
  submission: PhotographedPaper
  /** Of its page, from 1. */
  number: number
  type: string
}

function OriginalPhoto({ submission: { assignment_id: assignmentId, id: submissionId }, number, type }: PhotoProps) {
  const { ref, seen } = useSeen<HTMLDivElement>('300px')
  const input = { params: { assignmentId, submissionId, number } }
  const { url, error } = usePicture(getSubmissionPhoto, input, { seen })
  const original = useFileExport(
    () => downloadFile(downloadSubmissionPhoto, input, `photo-${number}.${type}`),
    'The photo could not be downloaded. Please try again.',
  )
  return (
    <li>
      <div className={classes.head}>
        <h3>Page {number}</h3>
        <SubtleButton
          leftSection={<IconDownload size={16} aria-hidden />}
          aria-label={`Download the photo of page ${number}`}
          loading={original.busy}
          onClick={() => void original.start()}
        >
          Download
        </SubtleButton>
      </div>
      <div ref={ref} className={classes.photo}>
        {url && <img src={url} alt={`Page ${number} as it was taken`} />}
        {error !== undefined && <p>The photo could not be loaded. Please try again later.</p>}
      </div>
    </li>
  )
}
