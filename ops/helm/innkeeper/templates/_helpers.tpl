{{- define "innkeeper.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "innkeeper.selector" -}}
app.kubernetes.io/name: innkeeper
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "innkeeper.labels" -}}
{{ include "innkeeper.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "innkeeper.image" -}}
{{- if .Values.image.digest -}}
{{ printf "%s@%s" (required "image.repository" .Values.image.repository) .Values.image.digest }}
{{- else -}}
{{ printf "%s:%s" (required "image.repository" .Values.image.repository) (default .Chart.AppVersion .Values.image.tag) }}
{{- end -}}
{{- end -}}

{{- define "innkeeper.serviceAccount" -}}
{{- default (ternary (include "innkeeper.name" .) "default" .Values.serviceAccount.create) .Values.serviceAccount.name -}}
{{- end -}}

{{- define "innkeeper.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "innkeeper.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "innkeeper.volumes" -}}
- name: data
  emptyDir: { sizeLimit: {{ .Values.dataSize }} }
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
{{- end -}}

{{- define "innkeeper.mounts" -}}
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
{{- end -}}

{{- /* Where the pods of nodes and of migrations may run. */ -}}
{{- define "innkeeper.placement" -}}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* A number of a file of values is a float, which Go would write as 6.7108864e+07. */ -}}
{{- define "innkeeper.setting" -}}
{{- if and (kindIs "float64" .) (eq . (floor .)) -}}
{{ int64 . | toString | quote }}
{{- else -}}
{{ toString . | quote }}
{{- end -}}
{{- end -}}

{{- define "innkeeper.annotations" -}}
{{- merge (deepCopy .theirs) .ours | toYaml -}}
{{- end -}}
