{{- define "whereabouts.name" -}}
{{- if contains .Chart.Name .Release.Name -}}{{ .Release.Name | trunc 53 | trimSuffix "-" }}
{{- else -}}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 53 | trimSuffix "-" }}{{- end -}}
{{- end }}

{{- define "whereabouts.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "whereabouts.labels" -}}
{{ include "whereabouts.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "whereabouts.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}{{ .Values.serviceAccount.name | default (include "whereabouts.name" .) }}
{{- else -}}{{ .Values.serviceAccount.name | default "default" }}{{- end -}}
{{- end }}

{{/* What the init container and the server have in common. */}}
{{- define "whereabouts.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
env:
  - name: WHEREABOUTS_DATA_DIRECTORY
    value: /data
  - name: WHEREABOUTS_DATASET
    value: {{ required "dataset.address is required: where `whereabouts publish` put the dataset, such as s3://maps/world" .Values.dataset.address | quote }}
  - name: WHEREABOUTS_DATASET_EVERY_SECONDS
    value: {{ .Values.dataset.everySeconds | quote }}
  - name: WHEREABOUTS_HOST
    value: 0.0.0.0
  - name: WHEREABOUTS_PORT
    value: "8080"
  - name: WHEREABOUTS_METRICS
    value: 0.0.0.0:9464
  - name: WHEREABOUTS_WORKERS
    value: {{ .Values.workers | quote }}
  - name: WHEREABOUTS_JOBS_MB
    value: {{ .Values.jobsMb | quote }}
  - name: WHEREABOUTS_SIGN_UP
    value: {{ .Values.signUp }}
  - name: WHEREABOUTS_KEYS
    valueFrom:
      secretKeyRef:
        name: {{ required "keys.existingSecret is required: a secret with the address of the Valkey or Redis server of the keys" .Values.keys.existingSecret }}
        key: {{ .Values.keys.secretKey }}
  {{- with .Values.streets.existingSecret }}
  - name: WHEREABOUTS_STREETS
    valueFrom:
      secretKeyRef:
        name: {{ . }}
        key: {{ $.Values.streets.secretKey }}
  {{- end }}
  - name: WHEREABOUTS_KEY_REPLICAS
    value: {{ .Values.keys.replicas | quote }}
  - name: WHEREABOUTS_WHEN_KEYS_AWAY
    value: {{ .Values.keys.whenAway }}
  {{- with .Values.trustedProxies }}
  - name: WHEREABOUTS_TRUSTED_PROXIES
    value: {{ join "," . | quote }}
  {{- end }}
  {{- if .Values.certificates.existingConfigMap }}
  - name: NODE_EXTRA_CA_CERTS
    value: /etc/certificates/{{ .Values.certificates.key }}
  {{- end }}
  {{- if .Values.config }}
  - name: WHEREABOUTS_CONFIG
    value: /etc/whereabouts/settings.json
  {{- end }}
  {{- range $name, $value := .Values.env }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
{{- with .Values.dataset.existingSecret }}
envFrom:
  - secretRef:
      name: {{ . }}
{{- end }}
securityContext:
  readOnlyRootFilesystem: true
  allowPrivilegeEscalation: false
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
  {{- if .Values.certificates.existingConfigMap }}
  - name: certificates
    mountPath: /etc/certificates
    readOnly: true
  {{- end }}
  {{- if .Values.config }}
  - name: config
    mountPath: /etc/whereabouts
    readOnly: true
  {{- end }}
{{- end }}
