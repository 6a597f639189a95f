import { IconFileTypePdf } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useDropzone } from 'react-dropzone'
import { partitionPdfs, rejectionMessage } from '../../lib/files/pdf-validation.ts'
import { toast } from '../../lib/toast.ts'
import classes from './PdfDropZone.module.css'

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
