import { ActionIcon } from '@mantine/core'
import { IconFileTypePdf, IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { useDropzone } from 'react-dropzone'
import { type ApiError, messageOf } from '../../lib/api/api-error.ts'
import { partitionPdfs, type RejectedFile, rejectionMessage } from '../../lib/files/pdf-validation.ts'
import { formatBytes } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { Notice } from '../feedback/Notice.tsx'
import classes from './PdfDropZone.module.css'
import { UploadProgress } from './UploadProgress.tsx'

interface Props {
  label: string
  hint: ReactNode
  multiple?: boolean
  disabled?: boolean
  selectedCount?: number
  maxFiles?: number
  maxBytes?: number
  onFiles: (files: File[]) => void
}

export function PdfDropZone({
  label,
  hint,
  multiple = false,
  disabled = false,
  selectedCount = 0,
  maxFiles,
  maxBytes,
  onFiles,
}: Props) {
  const zone = useDropzone({
    multiple: true,
    disabled,
    onDrop: (accepted, rejections) => {
      const all = [...accepted, ...rejections.map(({ file }) => file)]
      const { taken, refused } = partitionPdfs(multiple ? all : all.slice(0, 1), selectedCount, maxFiles, maxBytes)
      if (!multiple) {
        refused.push(...all.slice(1).map((file) => ({ name: file.name, reason: 'Only one file is allowed' })))
      }
      if (refused.length > 0) toast.error(rejectionMessage(refused))
      if (taken.length > 0) onFiles(taken)
    },
  })
  return (
    <div
      {...zone.getRootProps({ className: classes.root, role: undefined, tabIndex: undefined })}
      data-over={zone.isDragActive}
      data-disabled={disabled || undefined}
    >
      <IconFileTypePdf size={28} stroke={1.4} className={classes.icon} aria-hidden />
      <div className={classes.words}>
        <label className={classes.label}>
          <input
            {...zone.getInputProps({ accept: 'application/pdf,.pdf', multiple, 'aria-label': label })}
            className={classes.input}
            style={undefined}
            tabIndex={0}
          />
          {label}
        </label>
        <span className="hint">{hint}</span>
      </div>
    </div>
  )
}

interface SelectedFile {
  file: File
  /** 0..1; null while nothing is being sent. */
  sentFraction: number | null
  rejectionReason?: string
}

interface SelectedFilesProps {
  files: SelectedFile[]
  remove: (file: File) => void
  label: string
}

export function SelectedFiles({ files, remove, label }: SelectedFilesProps) {
  return (
    <ul className={classes.files} aria-label={label}>
      {files.map(({ file, sentFraction, rejectionReason }) => (
        <li key={`${file.name} ${file.size} ${file.lastModified}`} data-refused={rejectionReason ? true : undefined}>
          <IconFileTypePdf size={20} stroke={1.5} className={classes.fileIcon} aria-hidden />
          <div className={classes.fileWords}>
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

interface RejectedFilesNoticeProps {
  error: ApiError
  rejected: RejectedFile[]
  fallback: string
}

export function RejectedFilesNotice({ error, rejected, fallback }: RejectedFilesNoticeProps) {
  const notice = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal; the button pressed was off meanwhile
  useEffect(() => notice.current?.focus(), [error])
  if (rejected.length === 0) {
    return (
      <Notice ref={notice} tone="bad" title={fallback}>
        {messageOf(error, 'Nothing was saved. Your entries are still here; please try again.')}
      </Notice>
    )
  }
  return (
    <Notice ref={notice} tone="bad" title={fallback}>
      Nothing was saved. Replace or remove these files, then try again.
      <ul>
        {rejected.map(({ file, reason }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name, and the list is never re-ordered
          <li key={i}>
            {file.name}: {reason}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
