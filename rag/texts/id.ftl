no-model-passages = Saat ini tidak ada model bahasa yang tersedia.
no-model = Saat ini tidak ada model bahasa yang tersedia, dan dokumen tidak memuat apa pun yang mendekati pertanyaan ini. Silakan coba lagi nanti.
declined-passages = Model bahasa menolak menjawab.
declined = Model bahasa menolak menjawab, dan dokumen tidak memuat apa pun yang mendekati pertanyaan ini.
tool-called-passages = Model bahasa mencoba memakai alat alih-alih menjawab.
tool-called = Model bahasa mencoba memakai alat alih-alih menjawab, dan dokumen tidak memuat apa pun yang mendekati pertanyaan ini.
budget = Pertanyaan ini menghabiskan batasnya sebelum ada jawaban. Silakan ajukan pertanyaan yang lebih sempit.
budget-passages = Batas untuk pertanyaan ini habis sebelum jawaban ditulis.
spent-passages = Jatah hari ini habis sampai tengah malam.
spent = Jatah hari ini habis sampai tengah malam, dan dokumen tidak memuat apa pun yang mendekati pertanyaan ini. Silakan bertanya lagi nanti.
unusable-passages = Setelah beberapa kali percobaan tidak ada jawaban yang layak.
unusable = Setelah beberapa kali percobaan tidak ada jawaban yang layak. Silakan tanyakan lagi, atau dengan kata lain.
overview = Beginilah bagian-bagian { $document } dimulai:
summary-partial = Dokumen ini panjang: { $read } dari { $count } bagiannya dibaca.
whole-partial = Pertanyaan ini menyangkut keseluruhan, sedangkan hanya sebagian dokumen yang dibaca.
rows-highest = { $names }: { $column } { $value }, yang tertinggi dari { $rows } baris.
rows-lowest = { $names }: { $column } { $value }, yang terendah dari { $rows } baris.
rows-count = { $value } dari { $rows } baris tabel: { $names }.
rows-list = { $names } ({ $value } dari { $rows } baris tabel).
quotation-likely-words = Kemungkinan { $words }:
quotation-likely = Kemungkinan:
quotation-possible = Yang paling dekat di dokumen:
in-general = Secara umum, bukan dari dokumen: { $text }
quotation-disputed = Dokumen menjawab ini dengan lebih dari satu cara. Yang tampak lebih baru ditaruh di depan; periksa mana yang berlaku:
search-blind = Dokumen belum dapat dicari dalam bahasa pertanyaan ini. Silakan tanyakan lagi beberapa menit lagi, atau dalam bahasa dokumen.
quotation-absent = Dokumen tidak menyebutkannya.
unconfirmed = Tidak dikonfirmasi oleh dokumen: { $sentences }
interview-conflict = Ada dua jawaban berbeda untuk “{ $title }”: “{ $held }” dan “{ $said }”. Mana yang benar?
interview-why-conflict = Hanya satu dari keduanya yang bisa benar.
interview-confirm = Untuk “{ $title }” saya memahami “{ $value }”. Apakah benar?
interview-why-confirm = Anda belum mengatakannya sendiri, jadi mohon konfirmasi.
interview-yes = Ya
interview-no = Tidak
interview-none = Tidak ada
interview-not-applicable = tidak ada
interview-ask = Apa yang harus saya catat untuk “{ $title }”?
interview-ask-again = Saya masih memerlukan “{ $title }”. Jika tidak ada, atau Anda tidak mengetahuinya, katakan saja.
interview-still-open = Ini masih terbuka. { $question }
interview-objection = Tentang “{ $title }”: { $problem }
interview-leave = Biarkan apa adanya
interview-answer-anew = Jawab ulang
interview-leave-open = Biarkan terbuka
interview-left-open = “{ $title }” dibiarkan terbuka. Anda dapat mengatakannya kapan saja.
interview-postponed = “{ $title }” akan saya tanyakan nanti.
interview-not-told = Saya tidak menemukan “{ $title }” dalam yang sudah Anda katakan. Tolong katakan sekali lagi.
interview-impossible = “{ $value }” tidak mungkin untuk “{ $title }”, jadi saya simpan sebagai catatan. Yang mungkin: { $possible }.
interview-unfit = “{ $value }” tidak sesuai dengan bentuk “{ $title }”, jadi saya simpan sebagai catatan.
interview-noted = Hal ini tidak ditanyakan di sini, jadi saya simpan sebagai catatan: “{ $words }”.
interview-still-missing = Masih kurang: { $titles }.
interview-stopping = Tidak ada yang hilang dan wawancara tetap terbuka: lanjutkan kapan saja. Tulis “berhenti” sekali lagi untuk mengakhirinya apa adanya.
interview-issue-conflict = Dua jawaban berbeda untuk “{ $title }”: “{ $held }” dan “{ $said }”
interview-issue-open = Dibiarkan terbuka: { $title }
interview-issue-open-why = Wawancara belum lengkap tanpa ini.
interview-issue-later = Ditanyakan nanti: { $title }
interview-issue-note = Catatan tentang “{ $title }”: { $value }
interview-issue-note-why = Anda mengatakannya, tetapi tidak ada kolom untuk itu.
interview-says-skip = lewati, lewat, lewati saja, lewati ini, lewati pertanyaan ini, skip saja, berikutnya, pertanyaan berikutnya, biarkan terbuka, tidak mau jawab, tidak ingin menjawab, kosongkan
interview-says-later = nanti, nanti saja, nanti dulu, jangan sekarang, tanya nanti, belakangan, lain kali, saya jawab nanti
interview-says-back = kembali, mundur, sebelumnya, pertanyaan sebelumnya, batalkan jawaban terakhir, balik
interview-says-stop = berhenti, stop, batal, batalkan, hentikan, selesai dulu, cukup sampai di sini, akhiri, keluar
interview-says-told = sudah saya bilang, saya sudah bilang, sudah saya katakan, saya sudah jawab, sudah saya jawab, sudah dijawab, tadi sudah saya bilang, saya sudah memberi tahu, lihat di atas
interview-says-go-on = lanjut, lanjutkan, teruskan, ulangi, ulangi pertanyaan, silakan lanjut, apa pertanyaannya, tanya lagi
interview-says-affirmative = ya, iya, benar, betul, ya benar, iya benar, tepat, setuju, oke
interview-says-negative = tidak, bukan, salah, tidak benar, nggak, enggak
interview-says-not-applicable = tidak ada, tidak perlu, tidak berlaku, tanpa, tidak diperlukan, tidak, nihil
interview-says-unknown = tidak tahu, saya tidak tahu, belum tahu, saya belum tahu, entah, kurang tahu, tidak yakin, nggak tahu
interview-says-finished = itu saja, sudah, selesai, sudah semua, tidak ada lagi, cukup, itu semua
interview-says-first = yang pertama, pertama
interview-says-second = yang kedua, kedua
interview-says-correction = ubah, ganti, koreksi, perbaiki, ralat, sebenarnya, saya salah, seharusnya, maksud saya, salah sebut
interview-says-negation = bukan, tidak, tak, jangan
interview-says-filler = tolong, ya, dong, saja, dulu, mohon, deh
quality-adequate = baik
quality-needs_docs = perlu dokumen
quality-hallucination = menyatakan sesuatu yang tidak didukung dokumen
quality-off_topic = tidak menjawab pertanyaan
quality-unchecked = tidak dinilai
reason-agreed = kesepakatan { $agreement } %, nilai { $score } %
reason-begins-with = diawali “{ $phrase }”
reason-budget = anggaran pertanyaan ini habis: { $used } dari { $allowed } ({ $limit })
reason-change-accepted = perubahan diterima
reason-change-refused = perubahan ditolak: { $reason }
reason-chart-not-read = { $place }: satu grafik yang angkanya tidak ada di file dilewati
reason-chroma-failed = Chroma gagal: { $error }
reason-chroma-lost = indeks Chroma tidak menemukan bagiannya sendiri
reason-chroma-missing = Chroma tidak dapat diimpor ({ $error }): pasang paket chromadb
reason-citation-no-passage = { $marker } bukan bagian mana pun
reason-continued = { $characters } karakter setelah { $start } yang pertama
reason-corpus-gone = jalur dokumen { $path } tidak ada: periksa ejaannya
reason-corpus-no-file = jalur dokumen { $path } bukan berkas dan bukan folder
reason-corpus-not-opened = jalur dokumen { $path } tidak dapat dibuka: { $reason }
reason-corpus-unmounted = folder { $folder } kosong dan berada di disk lain: hubungkan kembali drive-nya, atau gunakan /reindex jika file-filenya memang harus dilupakan
reason-critic-point = { $text }
reason-critic-point-rejected = ditolak kritikus kedua: { $text }
reason-csv-damaged = baris { $line } tidak dapat dibaca sebagai nilai yang dipisahkan: simpan ulang berkas sebagai CSV
reason-cut-after = berakhir dengan “{ $text }”
reason-cut-after-heading = judul tanpa isi
reason-cut-after-marker = butir daftar tanpa isi
reason-cut-at-colon = berakhir dengan titik dua
reason-cut-at-limit = model berhenti di batas tokennya
reason-cut-in-block = blok kode tidak ditutup
reason-cut-in-code = kode tidak ditutup
reason-cut-in-emphasis = penekanan tidak ditutup
reason-cut-in-pair = “{ $mark }” tidak ditutup
reason-cut-in-point = butir terakhir tidak selesai
reason-cut-in-row = baris tabel terputus
reason-cut-in-sentence = kalimat terakhir tidak selesai
reason-damaged-text = berkas ini ditandai { $encoding } tetapi rusak: simpan ulang sebagai UTF-8
reason-data-folder = folder data { $folder } tidak dapat dipakai ({ $reason }): periksa izin dan ruang kosongnya
reason-database-away = basis data { $place } tidak dapat dihubungi ({ $reason }); periksa server dan { $setting }
reason-database-busy = basis data { $place } sedang dipakai program lain; tutup program itu atau coba lagi
reason-database-connection-lost = sambungan ke basis data { $place } terputus; periksa server
reason-database-damaged = basis data { $place } rusak; pulihkan cadangan, atau pindahkan untuk memulai dengan yang kosong
reason-database-disk-full = basis data { $place } tidak dapat bertambah karena disk penuh; kosongkan sebagian ruang
reason-database-foreign-file = { $place } bukan basis data; pulihkan cadangan, atau pindahkan untuk memulai dengan yang kosong
reason-database-no-right = pengguna itu tidak boleh mengubah basis data { $place }; beri pengguna itu hak membuat tabel
reason-database-not-opened = basis data { $place } tidak dapat dibuka; periksa apakah foldernya ada dan dapat ditulisi
reason-database-not-readable = basis data { $place } tidak dapat dibaca atau ditulisi; periksa disk
reason-database-not-writable = basis data { $place } tidak dapat ditulisi; periksa izin berkas dan foldernya
reason-database-other = basis data { $place } melaporkan: { $reason }
reason-database-overloaded = basis data { $place } menerima terlalu banyak permintaan sekaligus; coba lagi
reason-database-server-full = basis data { $place } kehabisan ruang atau sambungan; periksa server
reason-database-server-restarting = basis data { $place } sedang berhenti atau mulai berjalan; coba lagi
reason-disk-full = disk penuh
reason-document-read = { $document } dibaca: { $passages } dari { $count } bagian
reason-document-there = sudah ada dokumen dengan nama ini: centang “Ganti dokumen dengan nama yang sama” untuk menggantinya
reason-document-twice = dokumen { $document } sudah ada di { $file }: beri id lain
reason-documents-cover = dokumen membahas ini
reason-documents-do-not-cover = bukan urusan dokumen
reason-documents-found = kutipan: { $passages }, dokumen: { $documents }
reason-drafted = { $characters } karakter tanpa dokumen
reason-embedding-away = server embedding di { $address } tidak menjawab ({ $error }): jalankan, atau atur knowledge.embedding
reason-embedding-changed = dokumen diindeks dengan embedding { $indexed }, tetapi pengaturan meminta { $wanted }: jalankan `AnswerEngine.sync(rebuild=True)`, atau ubah knowledge.embedding
reason-embedding-file = berkas embedding { $file } tidak dapat dibaca ({ $reason }): jalankan `uv sync --reinstall`
reason-embedding-length = indeks berisi vektor sepanjang { $indexed }, tetapi embedding kini memberi { $now }: jalankan `AnswerEngine.sync(rebuild=True)`
reason-embedding-not-loaded = embedding multilingual tidak dapat dimuat ({ $error }): jalankan `uv sync --reinstall`, atau atur knowledge.embedding
reason-embedding-other-file = berkas embedding { $file } bukan yang diterbitkan: jalankan `uv sync --reinstall`
reason-embedding-package = paket { $package } dengan embedding minilm tidak ada: jalankan `uv sync`
reason-embedding-refused = server embedding di { $address } menolak model { $name } ({ $error }): periksa knowledge.embedding, alamat, dan kuncinya
reason-embedding-unknown = tidak ada embedding bernama { $name }: atur knowledge.embedding ke auto, minilm, multilingual, openai:NAME, atau ollama:NAME
reason-embedding-unusable = server embedding di { $address } tidak mengirim vektor yang dapat dipakai: periksa apakah { $name } model embedding
reason-excluded = dikecualikan oleh { $pattern } di knowledge.exclude
reason-file-being-written = masih sedang ditulis; akan dibaca setelah lengkap
reason-git-ignored = disebut dalam file .gitignore
reason-hidden = tersembunyi: namanya diawali titik atau ~$
reason-mail-damaged = email ini rusak: buka di Outlook dan simpan lagi
reason-not-json = file ini bukan JSON, atau bukan jenis ini: buka di program pembuatnya dan simpan lagi
reason-not-rtf = file ini bukan RTF, apa pun namanya
reason-part-not-read = { $name } dilewati: { $reason }
reason-part-of = { $name }: { $reason }
reason-pdf-form = isian formulir ini (XFA) tidak dapat dibaca: buka di Adobe Reader lalu cetak ke PDF
reason-transcription-away = server transkripsi di { $address } tidak menjawab ({ $error }): jalankan, atau atur voice.base_url
reason-transcription-refused = server transkripsi di { $address } menolak model { $name } ({ $error }): periksa voice.model, alamat, dan kuncinya
reason-transcription-unusable = server transkripsi di { $address } tidak mengirim teks: periksa voice.base_url dan voice.model
reason-embedding-version = dokumen diindeks dengan versi lain embedding { $embedding }: jalankan `AnswerEngine.sync(rebuild=True)`
reason-encoding-doubtful = pengodeannya tidak pasti dan dianggap { $encoding }: periksa hurufnya, atau simpan file sebagai UTF-8
reason-file-empty = berkas ini kosong
reason-file-grew = berkas ini membesar melebihi max_file_bytes ({ $limit })
reason-file-not-opened = berkas tidak dapat dibuka: { $reason }
reason-file-too-large = berkas ini { $bytes } byte, lebih dari yang diizinkan max_file_bytes ({ $limit }): bagi berkasnya atau naikkan setelannya
reason-folder-not-opened = folder tidak dapat dibuka: { $reason }
reason-folder-not-used = folder { $folder } tidak dapat dipakai ({ $reason }): periksa apakah itu folder, haknya, dan ruang kosong
reason-folder-not-written = folder { $folder } tidak dapat ditulisi ({ $reason }): periksa izin dan ruang kosongnya
reason-formulas-uncomputed = lembar { $sheet }: rumus yang belum pernah dihitung dan tidak memiliki nilai: { $count }; buka berkas di program lembar kerja lalu simpan
reason-indexing = proses lain sedang membaca dokumen ke { $folder }: tunggu sampai selesai, lalu coba lagi
reason-job-crashes = proses mogok { $crashes } kali karenanya
reason-job-unknown = pekerjaan jenis { $kind } tidak dikenal
reason-judge-said = { $text }
reason-judge-silent = tanpa alasan
reason-knowledge-damaged = basis pengetahuan { $path } rusak: hapus bersama berkas -wal dan -shm-nya, lalu jalankan lagi `AnswerEngine.sync()` pada dokumen
reason-knowledge-failed = basis pengetahuan { $path } tidak dapat dipakai ({ $error }): periksa folder dan haknya
reason-knowledge-locked = basis pengetahuan { $path } dikunci program lain: tunggu sampai selesai, lalu coba lagi
reason-knowledge-newer = basis pengetahuan { $path } ditulis oleh versi Think Twice yang lebih baru: perbarui, atau pilih folder data lain
reason-knowledge-not-opened = basis pengetahuan { $path } tidak dapat dibuka untuk ditulis ({ $error }): periksa hak foldernya
reason-knowledge-not-written = basis pengetahuan { $path } tidak dapat ditulis ({ $error }): kosongkan ruang disk, lalu coba lagi
reason-leftover-conversation = percakapan karangan model
reason-leftover-delimiter = pembatas dari prompt
reason-leftover-echo = pertanyaan diulang
reason-leftover-thoughts = pikiran model
reason-html-hidden = { $count } bagian tersembunyi dari halaman dilewati
reason-line = baris { $line }: { $reason }
reason-link-broken = tautan ini tidak menunjuk ke mana pun
reason-link-outside = tautan ini menunjuk ke luar folder
reason-links-in-a-loop = tautannya membentuk lingkaran
reason-loader-missing = pemuat { $loader } tidak terpasang: pasang thinktwice[langchain] atau ubah langchain_loaders
reason-loader-package = pemuat { $loader } memerlukan paket lain: { $error }
reason-loader-unknown = tidak ada pemuat { $loader }: langchain_loaders memerlukan "module:Class", misalnya "langchain_community.document_loaders:CSVLoader"
reason-markup-empty-link = tautan tanpa alamat
reason-markup-open-block = blok kode yang tidak ditutup
reason-markup-open-bold = huruf tebal yang tidak ditutup
reason-markup-open-code = kode yang tidak ditutup
reason-message-read = { $intent ->
   *[question] pertanyaan
    [follow_up] lanjutan percakapan
    [small_talk] basa-basi
} ({ LANGUAGE($language) }): { $reason }
reason-message-read-anew = { $intent ->
   *[question] pertanyaan
    [follow_up] lanjutan percakapan
    [small_talk] basa-basi
}: “{ $text }”
reason-model-broke-off = { $model } terputus di tengah jawaban: tanyakan lagi
reason-model-busy = { $model } untuk sementara tidak menerima permintaan lagi ({ $status }): coba lagi nanti
reason-model-busy-until = { $model } untuk sementara tidak menerima permintaan lagi ({ $status }) dan minta ditunggu { $seconds } dtk: coba lagi nanti
reason-model-closed = { $model } menutup sambungan sebelum jawaban lengkap
reason-model-conversation-too-long = percakapan lebih panjang dari yang dapat dibaca { $model }: turunkan history_limit atau passage_budget_tokens
reason-model-cut = { $model } hanya membaca { $read } dari sekitar { $sent } token, sehingga instruksi atau kutipan hilang: perbesar panjang konteks server (Ollama: OLLAMA_CONTEXT_LENGTH)
reason-model-declined = { $model } menolak menjawab: { $error }
reason-model-empty = { $model } memberi jawaban kosong
reason-model-failed = { $model } gagal ({ $status }): coba lagi nanti
reason-model-failed-until = { $model } gagal ({ $status }); diminta menunggu { $seconds } dtk: coba lagi nanti
reason-model-file-given-hash = berkas model { $path } tidak memiliki hash berkas penerbit dan tidak dipakai: perbaiki models.embedded_path
reason-model-file-given-size = berkas model { $path } berukuran { $size } bita, bukan { $wanted }, dan tidak dipakai: perbaiki models.embedded_path
reason-model-file-gone = tidak ada berkas model di { $path }: perbaiki models.embedded_path
reason-model-file-hash = berkas model { $path } tidak memiliki hash berkas penerbit dan tidak dipakai: jalankan lagi `RoleModels.pull()`
reason-model-file-size = berkas model { $path } berukuran { $size } bita, bukan { $wanted }, dan tidak dipakai: jalankan lagi `RoleModels.pull()`
reason-model-filtered = { $model } memberi balasan kosong: filter penyedia menahannya
reason-model-form = { $model } tidak memberi { $form } dalam bentuk yang diminta (percobaan: { $tries })
reason-model-key = { $model } menolak kuncinya: periksa models.openai_api_key ({ $status })
reason-model-key-verifier = { $model } menolak kuncinya: periksa models.verifier_api_key, atau models.openai_api_key tanpa models.verifier_base_url ({ $status })
reason-model-log = model bawaan tidak dapat menulis lognya { $log } ({ $reason }): perbaiki hak foldernya, atau pilih `data_dir` lain
reason-model-memory = model bawaan memerlukan memori { $needed } GB dan yang kosong { $free } GB: kosongkan sebagian, atau atur models.default ke model di server
reason-model-missing = model bawaan belum ada: ambil dengan `RoleModels.pull()` (1,1 GB), atau sebutkan model di server dengan models.default
reason-model-name-embedded = model bawaan
reason-model-name-server = { $name } di { $address }
reason-model-no-chat = { $model } menjawab dengan sesuatu yang bukan balasan obrolan: apakah alamatnya menuju server yang kompatibel dengan OpenAI (biasanya berakhir /v1)?
reason-model-no-connection = { $model } tidak menerima sambungan dalam { $seconds } dtk: apakah sedang berjalan?
reason-model-no-decision = { $model } tidak menjawab setiap pertanyaan dengan probabilitas: apakah alamatnya menuju model keputusan? (models.verifier, models.verifier_base_url)
reason-model-no-credit = { $model } menolak: saldo akun habis ({ $status })
reason-model-no-key = { $model } menolak permintaan tanpa kunci: atur models.openai_api_key ({ $status })
reason-model-no-runtime = model bawaan tidak dapat dijalankan karena `{ $package }` belum terpasang: pasang paket itu, atau sebutkan model di server dengan models.default
reason-model-no-source = tidak ada sumber untuk model bawaan: atur models.embedded_url ke alamat { $file }, atau sebutkan model di server dengan models.default
reason-model-no-space = model memerlukan ruang disk { $needed } GB di { $folder }, dan yang kosong { $free } GB: kosongkan sebagian, atau pilih `data_dir` lain
reason-model-not-ready = model bawaan belum siap setelah { $seconds } dtk: lihat { $log }
reason-model-not-running = { $model } tidak dapat dihubungi: apakah sedang berjalan?
reason-model-not-startable = model bawaan tidak dapat dijalankan: { $reason }
reason-model-not-started = model bawaan tidak mulai: lihat { $log }, atau isi models.default dengan model di sebuah server
reason-model-not-written = model tidak dapat ditulis ke { $folder } ({ $reason }): kosongkan ruang, perbaiki hak, atau pilih `data_dir` lain
reason-model-offline = { $model } tidak dapat dihubungi: apakah sedang berjalan, dan apakah mesin ini tersambung ke jaringan?
reason-model-over-ceiling = { $role } tidak menjawab dalam { $seconds } dtk, dan tidak ditunggu lebih lama
reason-model-refused = { $model } menolak permintaan ({ $status }): { $error }
reason-model-refused-ollama = { $model } menolak permintaan: periksa models.ollama_base_url ({ $status })
reason-model-slower = { $role } tidak menjawab dalam { $seconds } dtk, lebih lama dari biasanya
reason-model-stopped = { $model } berhenti di tengah balasannya ({ $error })
reason-model-thinking = { $model } memberi jawaban kosong: batasnya habis untuk berpikir
reason-model-tool = { $model } menjawab dengan panggilan alat, bukan teks: pakai model atau setelan server tanpa alat
reason-key-character = { $setting } berisi karakter yang tidak ada pada kunci mana pun, di posisi { $place }: salin kuncinya lagi
reason-model-to-pull = server { $address } tidak mengenal model { $name }: `ollama pull { $pull }`, atau periksa { $setting }
reason-model-too-slow = { $model } tidak menjawab dalam { $seconds } dtk: apakah sedang berjalan, atau models.timeout_seconds terlalu singkat?
reason-model-unknown = server { $address } tidak mengenal model { $name }: periksa { $setting }
reason-model-unknown-there = server di { $address } tidak mengenal model { $name }: periksa { $setting } dan models.openai_base_url (biasanya berakhir /v1)
reason-model-wrong-pieces = hasil gabungannya bukan { $file } dari penerbit (hash-nya berbeda) dan dihapus: pasang lagi paketnya, atau perbaiki alamatnya
reason-more-lines = { $rows } baris lagi tidak dapat dibaca
reason-nested-too-deeply = susunan dokumen terlalu dalam untuk dibaca: sederhanakan atau simpan sebagai teks
reason-no-corpus = belum ada korpus: sebutkan folder berisi dokumen
reason-no-document-named = tidak ada dokumen yang disebut
reason-no-ending = nama file tidak memiliki ekstensi, sehingga jenisnya tidak diketahui
reason-no-rights = izin ditolak
reason-no-text = dokumen ini tidak berisi teks
reason-no-worse = tidak lebih buruk menurut pemeriksaan dan dokumen
reason-not-a-file = ini perangkat atau pipa, bukan file
reason-not-a-pdf = berkas ini bukan PDF, apa pun namanya
reason-not-html = berkas bukan HTML yang dapat dibaca: buka di peramban dan simpan lagi
reason-not-recorded = tidak ada yang dapat dicatat: { $reason }
reason-not-text = berkas ini bukan teks: hapus, atau simpan sebagai teks UTF-8
reason-not-there = berkas atau folder itu tidak ada
reason-not-used = tidak dipakai: { $reason }
reason-nothing-new = tidak ada yang baru
reason-office-damaged = berkas { $program } ini rusak: buka di { $program } atau LibreOffice dan simpan ulang
reason-office-encrypted = berkas ini terenkripsi atau berformat { $program } lama: simpan salinan { $ending } tanpa kata sandi
reason-office-entities = berkas { $program } mendeklarasikan entitas XML, yang tidak pernah ditulis { $program }, dan ditolak
reason-office-too-large = berkas { $program } ini menjadi { $megabytes } MB dalam { $rows } bagian saat dibuka dan ditolak: buang gambarnya, atau bagi berkasnya
reason-only-punctuation = hanya tanda baca
reason-only-social-phrases = hanya basa-basi
reason-page-address = { $url } bukan alamat halaman web: kirim alamat yang diawali https://
reason-page-elsewhere = { $url } mengalihkan ke situs lain: jika itu halaman yang dimaksud, tambahkan { $target }
reason-page-empty = { $url } kosong
reason-page-kind = { $url } berjenis { $kind }; yang dapat ditambahkan adalah halaman HTML, teks, Markdown, dan PDF
reason-recording-empty = Saya tidak mendengar kata apa pun di pesan suara Anda. Ucapkan lagi pertanyaannya, atau ketik.
reason-recording-failed = Saya belum dapat memahami pesan suara Anda saat ini. Ketik pertanyaannya, atau coba lagi nanti.
reason-recording-heard = 🎙 Yang saya pahami: { $text }
reason-recording-too-big = Pesan suara Anda terlalu besar. Kirim yang lebih pendek, atau ketik pertanyaannya.
reason-recording-too-long = Pesan suara Anda berdurasi { $seconds } detik, sedangkan saya mendengarkan paling lama { $limit } detik. Kirim yang lebih pendek, atau ketik pertanyaannya.
reason-page-no-host = host { $host } tidak ditemukan: periksa alamatnya
reason-page-not-reached = { $url } tidak dapat diambil ({ $error }): periksa alamatnya lalu coba lagi
reason-page-packed = { $url } dikirim terkompresi padahal tidak diminta, dan ditolak
reason-page-private = { $host } tidak berada di internet publik, dan hanya halaman publik yang diambil: simpan halaman sebagai file lalu tambahkan
reason-page-redirects = { $url } mengalihkan ke alamat yang tidak ada atau terlalu sering
reason-page-robots = situs tidak mengizinkan program membaca { $url } (robots.txt): simpan halaman sebagai file lalu tambahkan
reason-page-status = { $url } menjawab dengan status { $status }
reason-page-too-large = { $url } lebih besar daripada batas web.max_bytes ({ $limit })
reason-page-too-slow = { $url } lebih lama daripada batas web.seconds ({ $limit })
reason-parser-crashed = pembaca berhenti karenanya, dokumen ini rusak: buka dan simpan ulang
reason-parser-not-started = proses pembaca tidak dapat dijalankan: { $reason }
reason-passage-lacks = kutipan tidak menyebutkannya
reason-passage-says = didukung oleh kutipan: { $text }
reason-passages-found = kutipan: { $passages }
reason-passages-read = kutipan dibaca: { $passages }
reason-pdf-cut-off = PDF ini terpotong, bagian akhirnya hilang: salin atau unduh ulang
reason-pdf-damaged = PDF ini rusak: buka di penampil PDF dan ekspor ulang
reason-pdf-encrypted = PDF ini terenkripsi: simpan salinan tanpa kata sandi
reason-pdf-images = PDF ini tidak berisi teks, hanya gambar: jalankan pengenalan teks (OCR) dulu
reason-pdf-page = halaman { $page } rusak dan dilewati: ekspor ulang PDF-nya
reason-pdf-page-picture = halaman { $page } hanya berupa gambar dan tidak dibaca: jalankan pengenalan teks (OCR) pada PDF-nya
reason-points-back = merujuk ke sebelumnya dengan “{ $word }”
reason-probe-failed = gagal ({ $status }): coba lagi nanti
reason-probe-key = menolak kuncinya: periksa models.openai_api_key
reason-probe-key-provider = menolak kuncinya: periksa { $variable } atau models.keys
reason-probe-no-key = meminta kunci: isi models.openai_api_key
reason-probe-no-list = tidak mencantumkan modelnya
reason-probe-not-running = tidak dapat dihubungi: apakah sedang berjalan?
reason-probe-to-pull = servernya tidak punya { $name }: `ollama pull { $pull }`, atau periksa { $setting }
reason-probe-too-slow = tidak menjawab dalam { $seconds } dtk: apakah sedang berjalan?
reason-probe-unknown = servernya tidak punya { $name }: periksa { $setting }
reason-query = “{ $text }”
reason-question-empty = pertanyaannya kosong: tulis apa yang ingin Anda ketahui
reason-question-invisible = pertanyaannya kosong: isinya hanya karakter yang tidak terlihat
reason-question-too-long = pertanyaannya { $characters } karakter, sedangkan batasnya { $limit }: bertanyalah lebih singkat, atau masukkan teksnya ke dokumen (budget.question_characters)
reason-question-unreadable = pertanyaannya bukan teks yang dapat dibaca: kirim sebagai teks biasa
reason-refined = { $characters } karakter
reason-refused-citation-gone = sebuah kutipan hilang
reason-refused-declines = menolak menjawab
reason-refused-denies-elsewhere = menyangkal di tempat lain
reason-refused-fact-changed = sebuah fakta berubah
reason-refused-invented = hanya penyempurna yang menyebut { $fact }
reason-refused-less-carried = bagian dokumen kurang mendukungnya
reason-refused-less-said-before = percakapan kurang mendukungnya
reason-refused-less-sure = penilaian kurang yakin: { $reason }
reason-refused-less-to-the-point = kurang tepat sasaran
reason-refused-new-fault = pemeriksaan menemukan kesalahan baru
reason-refused-not-comparable = tidak dapat dibandingkan
reason-refused-number-changed = sebuah angka berubah
reason-refused-other-order = urutan katanya berbeda
reason-refused-rule-changed = sebuah aturan berubah: “{ $word }”
reason-refused-says-else = mengatakan hal lain
reason-refused-states-new = menyatakan yang tidak ada di bagian mana pun
reason-refused-word-exchanged = sebuah kata diganti
reason-refused-words-gone = ada kata yang hilang
reason-refused-worse = penilaian mengatakan: { $reason }
reason-repeats-prompt = mengulang perintah, tidak dipakai
reason-review-issue = { $type ->
    [truncation] terpotong
    [language] bahasa salah
    [empty] kosong
    [short_section] terlalu pendek
    [alignment] di luar pertanyaan
    [hallucination] dikarang
    [logic] pertentangan
   *[hygiene] bentuk
}, { $severity ->
    [critical] gawat
    [fixable] dapat diperbaiki
    [complex] untuk juri
   *[info] catatan
}: { $text }
reason-review-issue-at = { $type ->
    [truncation] terpotong
    [language] bahasa salah
    [empty] kosong
    [short_section] terlalu pendek
    [alignment] di luar pertanyaan
    [hallucination] dikarang
    [logic] pertentangan
   *[hygiene] bentuk
}, { $severity ->
    [critical] gawat
    [fixable] dapat diperbaiki
    [complex] untuk juri
   *[info] catatan
}: { $text } ({ $place })
reason-reviewed = { $status ->
   *[pass] tidak ada keberatan
    [pass_with_flags] lolos, dengan catatan
    [fixed] diperbaiki
    [flag_to_judge] biar juri memutuskan
    [regenerate] perlu ditulis ulang
}: { $reason }
reason-reviewer-said = { $text }
reason-reviewer-silent = tidak ada kesalahan
reason-row-no-id = baris ini tidak punya "id"
reason-row-no-object = baris ini bukan objek seperti { "{" }"id": …, "title": …, "text": …{ "}" }
reason-row-no-text = baris ini tidak punya "text"
reason-row-not-json = baris ini bukan JSON yang sah
reason-row-not-utf8 = baris ini bukan UTF-8
reason-row-same-id = id { $id } sudah dipakai di atas
reason-row-title = "title" pada baris ini bukan teks
reason-row-too-long = teksnya lebih dari { $limit } karakter: bagi barisnya
reason-scored = nilai { $score } %; masalah: { $issues }, saran: { $suggestions }
reason-second-critic-said = kritikus kedua: { $text }
reason-section-empty = tidak ada isi di bawah “{ $title }”
reason-section-too-short = terlalu sedikit di bawah “{ $title }”
reason-sitemap-empty = peta situs { $url } tidak memuat halaman dari situs itu sendiri
reason-sitemap-long = halaman peta situs yang tidak diambil: { $pages }; web.max_pages mengizinkan { $limit }
reason-skipped-kind = file berjenis { $ending } tidak dapat dibaca
reason-standalone-figure = memuat angka yang tidak dikatakan siapa pun
reason-standalone-lacking = menghilangkan hal yang ditanyakan
reason-standalone-language = bahasa lain
reason-standalone-none = bukan pertanyaan
reason-standalone-same = tidak mengatakan lebih dari pesannya
reason-standalone-word = tidak ada yang mengatakan “{ $word }”
reason-stands-alone = dapat dipahami sendiri
reason-step-failed = gagal: { $reason }
reason-text-empty = jawabannya kosong
reason-text-few-words = hanya beberapa kata padahal diminta lebih
reason-text-mixed-letters = kata yang mencampur huruf Latin dan Kiril
reason-text-other-language = ditulis dalam bahasa { LANGUAGE($found) }, bukan bahasa { LANGUAGE($asked) }
reason-text-other-script = kata beraksara { SCRIPT($script) } dalam teks bahasa { LANGUAGE($asked) }
reason-text-repetition = mengulang hal yang sama
reason-text-stray-letters = huruf { SCRIPT($script) } yang tidak pada tempatnya
reason-text-too-long = teksnya lebih panjang dari yang diizinkan max_text_chars ({ $limit } karakter): bagi dokumennya atau naikkan setelannya
reason-too-much-memory = membacanya memakai memori lebih dari yang diizinkan loader_memory_mb ({ $limit }): bagi dokumennya atau naikkan setelannya
reason-too-slow = membacanya lebih lama dari yang diizinkan loader_seconds ({ $limit }): bagi dokumennya atau naikkan setelannya
reason-unknown-kind = berkas jenis ini tidak dapat dibaca; akhiran yang dikenal: { $endings }
reason-unreadable-document = dokumen ini tidak dapat dibaca ({ $error }): buka dan simpan ulang
reason-verdict = { $quality ->
    [adequate] { quality-adequate } ({ $confidence } %)
    [needs_docs] { quality-needs_docs } ({ $confidence } %)
    [hallucination] { quality-hallucination } ({ $confidence } %)
    [off_topic] { quality-off_topic } ({ $confidence } %)
   *[unchecked] { quality-unchecked }
}: { $reason }
reason-verdict-absent = tidak ada kutipan yang menyebut { $facts }
reason-verdict-budget = anggaran pertanyaan ini habis
reason-verdict-carried = kutipan-kutipannya mendukungnya
reason-verdict-common = pengetahuan umum, bukan urusan dokumen
reason-verdict-declines = draf menolak menjawab
reason-verdict-no-judge = tidak terputuskan tanpa hakim: { $reason }
reason-verdict-no-model = tidak ada model yang menjawab: { $reason }
reason-verdict-none = tidak dinilai
reason-verdict-outdated = Berubah sejak dibaca: { $documents }. Silakan tanya lagi satu menit lagi.
reason-verdict-quote-found = pembacaan kutipan menemukan “{ $text }” dalam kalimat ini
reason-verdict-quote-none = tidak ada kalimat kutipan yang memuat jawabannya
reason-verdict-rows = program membaca setiap baris tabel: { $rows }
reason-verdict-quote-overview = kata-kata dokumen itu sendiri
reason-verdict-quote-possible = tidak ada pembacaan yang memastikan bahwa kalimat ini menjawab
reason-verdict-reading-agrees = pembacaan kedua [{ $n }] mengatakan hal yang sama
reason-verdict-reading-differs = pembacaan kedua atas [{ $n }] menyatakan “{ $text }”
reason-verdict-said = percakapan sudah menyebutkannya
reason-verdict-person = orang yang tahu telah menjawab
reason-verdict-sent-back = dikembalikan peninjau: { $reason }
reason-verdict-small-talk = basa-basi, dan teksnya bersih
reason-verdict-spent = batas pemakaian sehari habis
reason-verdict-switched-off = pemeriksaan dimatikan
reason-verdict-unquotable = mungkin benar, tetapi tidak ada bagian yang dapat dikutip
reason-verdict-unsupported = tidak ada kutipan yang mendukung pernyataan draf
reason-verdict-unsure = terlalu ragu untuk pertanyaan yang dibahas dokumen: { $reason }
reason-verdict-yes-no = ya atau tidak saja tidak dapat dibandingkan dengan apa pun
reason-work-not-recorded = pekerjaan tidak dapat dicatat ({ $reason })
reason-council-answered = { $seat }: jawaban { $characters } karakter
reason-council-not-answered = 
    { $status ->
        [timed_out] { $seat }: tidak menjawab tepat waktu
        [empty] { $seat }: jawaban kosong
        [cut_off] { $seat }: jawaban terpotong
       *[other] { $seat }: tidak ada jawaban
    }
reason-council-ranked = { $seat } mengurutkan { $ranking }
reason-council-abstained = 
    { $status ->
        [not_a_ranking] { $seat }: tidak ada urutan yang sah
       *[other] { $seat }: tidak ada ulasan
    }
reason-council-corrected = { $seat } memperbaiki jawabannya
reason-council-unchanged = { $seat } mempertahankan jawabannya kata demi kata
reason-council-kept = 
    { $status ->
        [no_feedback] { $seat }: tidak ada yang mengulas jawaban ini
        [other_language] { $seat }: perbaikannya dalam bahasa lain, jadi jawaban pertama tetap berlaku
        [lost_citation] { $seat }: perbaikannya kehilangan kutipan, jadi jawaban pertama tetap berlaku
        [too_short] { $seat }: perbaikannya jauh lebih pendek, jadi jawaban pertama tetap berlaku
       *[other] { $seat }: tidak ada perbaikan yang dapat dipakai, jadi jawaban pertama tetap berlaku
    }
reason-council-concluded = { $seat } menyimpulkan dalam { $characters } karakter
reason-council-not-concluded = { $seat } tidak dapat menyimpulkan
reason-council-no-documents = dokumen tidak membahas pertanyaan ini
reason-council-no-member = Tidak ada anggota dewan yang menjawab. Periksa setelan council.members.
reason-council-one-answer = hanya satu anggota yang menjawab
reason-council-two-answers = hanya dua anggota yang menjawab: masing-masing menilai yang lain, tidak ada yang perlu diperingkat
reason-council-correction-off = dimatikan oleh setelan council.self_correction
reason-council-no-seats = Dewan tidak punya anggota. Sebutkan anggotanya di setelan council.members.
reason-interview-reply = perubahan: { $changes }, masalah: { $issues }
reason-interview-question-closed = pertanyaan ini sudah ditutup; jawablah pertanyaan yang terakhir diajukan
reason-interview-nothing-to-undo = belum ada yang dikatakan yang bisa dibatalkan
reason-interview-message-too-long = pesan ini berisi { $characters } karakter, paling banyak { $limit }; kirimkan dalam beberapa bagian
reason-interview-message-unreadable = tidak ada yang bisa dibaca dalam pesan ini; tulislah sebagai teks biasa
reason-interview-version = wawancara ini dimulai dengan versi { $old } paket “{ $pack }” dan tidak bisa dilanjutkan dengan versi { $new }; isinya tetap tersimpan dan bisa diekspor
reason-interview-unknown = tidak ada wawancara seperti itu
reason-interview-pack-unknown = tidak ada paket `{ $pack }`; yang ada: { $packs }
reason-interview-sessions-spent = Anda bisa memulai { $limit } wawancara sehari; lanjutkan besok, atau teruskan yang masih terbuka
reason-interview-turns-spent = wawancara ini sudah berisi { $limit } pesan; selesaikan, atau mulai yang baru
reason-interview-day-spent = { $limit } token untuk wawancara Anda hari ini sudah habis; lanjutkan besok
reason-interview-tokens-spent = { $limit } token untuk wawancara ini sudah habis; selesaikan, atau mulai yang baru
reason-interview-busy = beberapa pesan masuk bersamaan; kirim ulang yang terakhir
reason-interview-steps-off = langkah tunggal dimatikan; pengaturan interviews.single_steps menyalakannya
reason-interview-over = wawancara ini sudah selesai; mulai yang baru
reason-interview-stated = { $path }: “{ $words }”
reason-interview-not-stated = { $path }: tidak disebutkan
reason-paper-fact-missing = “{ $title }” diketahui ({ $value }) tetapi tidak ada di dokumen
reason-paper-fact-doubtful = “{ $title }” ({ $value }) belum dipastikan, jadi tidak dimuat dalam dokumen
reason-paper-term-undefined = istilah “{ $term }” dipakai sebelum didefinisikan
reason-paper-clause-broken = sebuah teks paket tidak dapat diisi ({ $problem }): { $text }
reason-paper-ref-unknown = dokumen merujuk ke “{ $name }”, yang tidak ada di dalamnya
reason-paper-worded = ditulis pada percobaan ke-{ $attempts }
reason-paper-unworded = tidak ada rumusan yang dapat dipakai, jadi faktanya ditampilkan sebagai daftar: { $problem }
reason-interview-answer-unfit = “{ $value }” tidak mungkin di sini. Yang mungkin: { $possible }
reason-pack-without-blanks = tidak ada isian kosong di berkas ini: tandai yang harus ditanyakan dengan ____
reason-interview-no-document = paket wawancara ini tidak mempunyai dokumen; jawabannya dapat diekspor
reason-provider-no-package = { $provider } memerlukan paket { $package }: pasang paket itu, atau sebutkan model lain
reason-provider-no-key = { $provider } memerlukan kunci: atur { $variable } atau models.keys, atau sebutkan model lain
reason-provider-refused = { $model } tidak dapat digunakan: { $error }
reason-probe-not-asked = tidak ditanya sebelum panggilan pertama ({ $provider })
reason-model-key-provider = { $model } menolak kunci: periksa { $variable } atau models.keys ({ $status })
