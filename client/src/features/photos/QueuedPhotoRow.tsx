import { Button } from '@mantine/core'
import { IconCamera, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { UploadProgress } from '../../components/files/UploadProgress.tsx'
import { useObjectUrl } from '../../lib/hooks/useObjectUrl.ts'
import { Action } from './PhotoPageRow.tsx'
import classes from './photos.module.css'
import type { QueuedPhoto } from './usePhotoQueue.ts'

interface Props {
  photo: QueuedPhoto
  sendAgain: () => void
  remove: () => void
}

/** A photo on its way to the server. */
export function QueuedPhotoRow({ photo, sendAgain, remove }: Props) {
  const { file, state, share, reason } = photo
  return (
    <li>
      <LocalPicture file={file} />
      <div className={classes.about}>
        <span className={classes.file}>{file.name}</span>
        <span
          className={state === 'refused' ? classes.reason : classes.words}
          role={state === 'refused' ? 'alert' : undefined}
        >
          {state === 'refused' ? reason : stateWords(photo)}
        </span>
        {state === 'sending' && <UploadProgress name={file.name} share={share} />}
        {state === 'refused' && (
          <Button variant="default" size="xs" className={classes.again} onClick={sendAgain}>
            Try again
          </Button>
        )}
      </div>
      <Action label={`Remove ${file.name}`} name="remove" off={false} act={remove}>
        <IconX size={20} />
      </Action>
    </li>
  )
}

function stateWords({ state, share }: QueuedPhoto): string {
  if (state === 'offline') return 'No connection. It is sent as soon as there is one.'
  if (state === 'waiting') return 'Waiting for the photos before it'
  return share < 1 ? `Sending, ${Math.round(share * 100)} %` : 'Finding the sheet…'
}

/** Most browsers cannot show HEIC: then a camera stands for it. */
function LocalPicture({ file }: { file: File }) {
  const url = useObjectUrl(file)
  const [failed, setFailed] = useState(false)
  return (
    <span className={classes.thumbnail}>
      {url && !failed ? (
        <img src={url} alt="" onError={() => setFailed(true)} />
      ) : (
        <IconCamera size={22} stroke={1.4} aria-hidden />
      )}
    </span>
  )
}
