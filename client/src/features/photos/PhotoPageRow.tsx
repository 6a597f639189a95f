import type { PhotoPage } from '@assay/shared/photo-drafts.ts'
import { ActionIcon, Loader } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCamera, IconCrop, IconRotateClockwise, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { usePhotoPicture } from './PhotoPicture.tsx'
import classes from './photos.module.css'

interface Props {
  assignmentId: number
  page: PhotoPage
  number: number
  last: boolean
  off: boolean
  busy: boolean
  move: (by: -1 | 1) => void
  turn: () => void
  crop: () => void
  remove: () => void
}

/** A page as it will be in the paper, and what can be done with it. */
export function PhotoPageRow({ page, number, last, off, busy, move, turn, crop, remove, ...ids }: Props) {
  const { url, failed, retry } = usePhotoPicture(ids.assignmentId, page, 'sheet')
  return (
    <li data-key={page.key}>
      <button
        type="button"
        className={classes.thumbnail}
        aria-label={failed ? `Show page ${number} again` : `Look at page ${number}`}
        disabled={off}
        onClick={failed ? retry : crop}
      >
        {url ? <img src={url} alt={`Page ${number}, straightened`} /> : <IconCamera size={22} stroke={1.4} />}
        {busy && <Loader size={24} className={classes.busy} aria-label="Straightening" />}
      </button>
      <div className={classes.about}>
        <span className={classes.name}>Page {number}</span>
        <span className={classes.file}>{page.file_name}</span>
        <div className={classes.actions}>
          <Action label={`Move page ${number} up`} name="up" off={off || number === 1} act={() => move(-1)}>
            <IconArrowUp size={20} />
          </Action>
          <Action label={`Move page ${number} down`} name="down" off={off || last} act={() => move(1)}>
            <IconArrowDown size={20} />
          </Action>
          <Action label={`Turn page ${number}`} name="turn" off={off || busy} act={turn}>
            <IconRotateClockwise size={20} />
          </Action>
          <Action label={`Crop page ${number}`} name="crop" off={off || busy} act={crop}>
            <IconCrop size={20} />
          </Action>
          <Action label={`Remove page ${number}`} name="remove" off={off} act={remove}>
            <IconX size={20} />
          </Action>
        </div>
      </div>
    </li>
  )
}

interface ActionProps {
  label: string
  name: string
  off: boolean
  act: () => void
  children: ReactNode
}

export function Action({ label, name, off, act, children }: ActionProps) {
  return (
    <ActionIcon
      className={classes.act}
      variant="subtle"
      color="gray"
      size={44}
      aria-label={label}
      data-action={name}
      disabled={off}
      onClick={act}
    >
      {children}
    </ActionIcon>
  )
}
