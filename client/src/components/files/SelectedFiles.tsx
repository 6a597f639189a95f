import { ActionIcon } from '@mantine/core'
import { IconFileTypePdf, IconX } from '@tabler/icons-react'
import { flushSync } from 'react-dom'
import { formatBytes } from '../../lib/format.ts'
import classes from './SelectedFiles.module.css'
import { UploadProgress } from './UploadProgress.tsx'

interface SelectedFile {
  file: File
  /** 0..1; null while nothing is being sent. */
  sentFraction: number | null
  rejectionReason?: string
}

interface Props {
  files: SelectedFile[]
  remove: (file: File) => void
  label: string
}

export function SelectedFiles({ files, remove, label }: Props) {
  return (
    <ul className={classes.root} aria-label={label}>
      {files.map(({ file, sentFraction, rejectionReason }) => (
        <li key={`${file.name} ${file.size} ${file.lastModified}`} data-refused={rejectionReason ? true : undefined}>
          <IconFileTypePdf size={20} stroke={1.5} className={classes.icon} aria-hidden />
          <div className={classes.words}>
            <div className={classes.row}>
              <span className={classes.name}>{file.name}</span>
              <span className={classes.size}>{formatBytes(file.size)}</span>
            </div>
            {rejectionReason && <div className={classes.reason}>{rejectionReason.replace(`${file.name}: `, '')}</div>}
            {sentFraction !== null && <UploadProgress name={file.name} share={sentFraction} />}
          </div>
          {sentFraction === null && (
            <ActionIcon
              color="gray"
              size={36}
              aria-label={`Remove ${file.name}`}
              onClick={(event) => removeAndMoveFocus(event.currentTarget, () => remove(file))}
            >
              <IconX size={16} />
            </ActionIcon>
          )}
        </li>
      ))}
    </ul>
  )
}

function removeAndMoveFocus(button: HTMLButtonElement, remove: () => void) {
  const row = button.closest('li')
  const next = row?.nextElementSibling ?? row?.previousElementSibling
  const around = button.closest('fieldset, form')
  // The place to choose another appears only once the last one is gone.
  flushSync(remove)
  const target = next?.querySelector('button') ?? around?.querySelector<HTMLElement>('input[type="file"]')
  target?.focus()
}
