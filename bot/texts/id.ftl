label-verified = sudah diperiksa dengan dokumen
label-general = jawaban umum, bukan dari dokumen
label-unverified = belum diperiksa: pastikan dahulu sebelum mengandalkannya
label-not_in_documents = tidak ada dalam dokumen
mode-quick = cepat (quick): hanya pemeriksaan gratis dan perbandingan dengan dokumen, biasanya 1–2 panggilan model
mode-balanced = seimbang (balanced): model juri memutuskan bila pemeriksaan belum cukup, biasanya 1–3 panggilan model
mode-careful = teliti (careful): peninjau membaca setiap jawaban, kritikus membaca yang belum terverifikasi, biasanya 2–7 panggilan model
sources = Sumber
nearest-sources = Bagian terdekat
you = Anda
chat-welcome = Silakan bertanya tentang dokumen Anda. /help menampilkan daftar perintah, Ctrl-D untuk keluar.
chat-help =
    /why      bagaimana jawaban terakhir didapat
    /sources  bagian dokumen yang mendasarinya
    /mode     seberapa teliti pemeriksaan: quick, balanced, atau careful
    /reset    lupakan percakapan ini
    /quit     keluar (bisa juga dengan Ctrl-D)
chat-resumed = Melanjutkan percakapan ini ({ $messages } pesan); /reset untuk melupakannya.
chat-reset = Sudah dilupakan. Apa yang ingin Anda ketahui?
reset-confirm = Lupakan percakapan ini untuk semua orang di sini? Ini tidak dapat dibatalkan.
reset-admins = Di grup, hanya administrator grup dan administrator bot ini yang dapat menghapus percakapan.
group-admins-unknown = Saya tidak dapat mengetahui siapa administrator grup ini. Silakan coba lagi sebentar lagi.
chat-mode = Mode: { $description }
chat-mode-unknown = Tidak ada mode { $mode }. Pilih salah satu:
chat-nothing-yet = Belum ada jawaban.
chat-no-sources = Jawaban terakhir tidak memakai dokumen.
chat-unknown-command = Tidak ada perintah { $command }; /help menampilkan daftarnya.
chat-stopped = Dihentikan. Percakapan tetap tersimpan.
chat-not-stored = Jawaban ini tidak tersimpan: { $reason }
chat-bye = Sampai jumpa. Percakapan tetap tersimpan.
step-recall = mengingat percakapan
step-classify = membaca pesan
step-draft = menulis draf
step-continue = menyelesaikan teks yang terpotong
step-probe = mencari di dokumen
step-cover = memeriksa apakah dokumen membahas ini
step-evaluate = memeriksa jawaban
step-judge = bertanya kepada juri
step-review = bertanya kepada peninjau
step-compare = membandingkan versi
step-retrieve = membaca dokumen
step-choose = mencari kalimat yang menjawab pertanyaan
step-read = membaca ulang sebuah kutipan
step-regenerate = menulis jawaban dari dokumen
step-rewrite = mencari dengan kata lain
step-critique = bertanya kepada kritikus
step-second_opinion = bertanya kepada kritikus kedua
step-standalone = memahami pertanyaan bersama percakapan sebelumnya
step-refine = memperbaiki jawaban
model-failed = Model gagal: { $reason }
not-checked-yet = ⏳ Belum diperiksa
progress-reading = membaca { $documents ->
   *[other] { $documents } dokumen
}
sources-none = Jawaban ini tidak memakai dokumen.
tokens-short = { $tokens } tok
duration-milliseconds = { $count } md
duration-seconds = { $count } dtk
duration-minutes = { $minutes } mnt { $seconds } dtk
duration-hours = { $hours } jam { $minutes } mnt
why-failed = Tidak ada model bahasa yang bisa menulis jawaban, jadi inilah yang terbaik tanpa model.
why-small-talk = Obrolan ringan: langsung dijawab, tidak ada yang dicari.
why-general = Dokumen tidak membahas ini, jadi jawabannya dari pengetahuan umum atau percakapan kita.
why-confirmed = Draf pertama sesuai dengan dokumen, jadi tetap dipakai.
why-read = Ditulis dari { $documents ->
   *[other] { $documents } dokumen
}; setiap kutipan bernomor sudah dicocokkan dengan sumbernya.
why-corrected = Draf pertama tidak terbukti, jadi jawaban ditulis ulang dari { $documents ->
   *[other] { $documents } dokumen
}; setiap kutipan bernomor sudah dicocokkan dengan sumbernya.
why-unverified = Jawaban ini tidak dapat dipastikan: periksa dahulu sebelum mengandalkannya.
why-not-found = Dokumen sudah dicari dan tidak memuat jawabannya.
why-verdict = Putusan: { $quality } (yakin { $percent } %, { $source })
why-score = Nilai dari kritikus: { $percent } %
why-calls = { $calls ->
   *[other] { $calls } panggilan model
}
why-tokens = { $tokens ->
   *[other] { $tokens } token
}
why-corrections = perbaikan: { $count }
why-cost = biaya: { $cost }
why-savings = Pemeriksaan gratis menghemat { $calls ->
   *[other] { $calls } panggilan juri
}, sekitar { $tokens } token
verdict-rules = menurut aturan gratis
verdict-evidence = dengan membandingkan dokumen
verdict-judge = menurut model juri
verdict-reading = menurut pembacaan kedua
plain-number = { $value }
plain-percent = { $percent }%
plain-amount = { NUMBER($value, minimumFractionDigits: 2, maximumFractionDigits: 9) }
cost-unknown = harga tidak diketahui
cost-least = setidaknya { $cost }
size-bytes = { $count } B
size-kilobytes = { $count } kB
size-megabytes = { $count } MB
size-gigabytes = { $count } GB
button-useful = 👍 Berguna
button-wrong = 👎 Salah
button-sources = 📄 Sumber
button-why = 🔎 Mengapa
button-stop = ⏹ Hentikan
button-chosen = ✓ { $button }
press-gone = Jawaban ini sudah tidak disimpan, jadi tombolnya tidak berlaku lagi.
press-not-yours = Hanya yang bertanya yang dapat menilai jawaban ini.
press-useful = Terima kasih! Ditandai berguna.
press-wrong = Terima kasih! Ditandai salah. Administrator akan melihatnya di daftar mereka.
press-taken-back = Penilaian dihapus.
press-shown = Sudah ditampilkan di obrolan ini.
press-not-to-stop = Hanya yang bertanya, atau administrator, yang dapat menghentikan jawaban ini.
press-finished = Jawaban ini sudah selesai.
press-working = Pertanyaan ini masih sedang dijawab.
stop-done = { $answers ->
   *[other] Dihentikan: { $answers } jawaban.
}
stop-nothing = Saat ini tidak ada pertanyaan Anda yang sedang saya jawab di sini.
answer-stopped = ⏹ Dihentikan.
answer-caption = 📎 Saya hanya membaca teksnya, bukan lampirannya.
answer-queued = ⏳ Dalam antrean: { $ahead ->
   *[other] { $ahead } pertanyaan
} sebelum yang ini.
answer-failed = Maaf, saya tidak dapat menjawab pertanyaan ini karena ada kesalahan di pihak saya. Silakan bertanya lagi nanti. Jika terus terjadi, beri tahu administrator.
command-failed = Maaf, saya tidak dapat menjalankan perintah ini karena ada kesalahan di pihak saya. Silakan kirim lagi nanti. Jika terus terjadi, beri tahu administrator.
press-failed = Maaf, itu tidak berhasil karena ada kesalahan di pihak saya. Silakan coba lagi nanti. Jika terus terjadi, beri tahu administrator.
ask-how = Tulis pertanyaan Anda setelah perintah: /ask Bagaimana cara memulai?
question-too-long = Pertanyaan Anda berisi { $characters } karakter; batasnya { $limit }. Silakan persingkat.
question-unreadable = Saya tidak dapat membacanya sebagai teks. Silakan kirim pertanyaan sebagai teks biasa.
question-file = { $name } belum saya baca. Untuk menambahkannya ke dokumen, balas berkas itu dengan /add, atau kirim lagi dengan keterangan /add.
refused-private = Anda belum punya akses ke bot ini. Administrator dapat memberikannya: kirimkan id Anda kepadanya, { $user }.
refused-private-groups = Saya hanya menjawab di grup. Administrator bot ini dapat memberi Anda akses di sini juga: kirimkan id Anda kepadanya, { $user }.
refused-person = Administrator telah memblokir akses Anda ke bot ini.
refused-group = Grup ini belum punya akses ke bot ini. Administrator bot dapat mengizinkannya dengan /allow. Id grup ini { $chat }.
refused-group-admin = Grup ini belum diizinkan, dan semua orang di sini akan melihat jawabannya. Kirim /allow di sini untuk mengizinkannya.
refused-anonymous = Saya tidak tahu siapa Anda selama Anda menulis secara anonim. Silakan menulis dengan nama Anda sendiri.
refused-admins-only = Hanya administrator bot ini yang dapat melakukannya.
refused-named-only = Anda menulis secara anonim. Matikan mode anonim lalu coba lagi.
refused-yourself = Anda tidak dapat melakukannya pada diri sendiri.
refused-owner-only = Hanya pemilik bot ini yang dapat melakukannya.
limit-user-minute = Anda mencapai batas pertanyaan per menit ({ $limit }). Coba lagi dalam { $seconds } dtk.
limit-user-hour = Anda mencapai batas pertanyaan per jam ({ $limit }). Coba lagi dalam { $minutes } mnt ({ $until } UTC).
limit-chat-minute = Obrolan ini mencapai batas pertanyaan per menit ({ $limit }). Coba lagi dalam { $seconds } dtk.
limit-user-commands = Anda mencapai batas perintah per menit ({ $limit }). Coba lagi dalam { $seconds } dtk.
limit-chat-commands = Obrolan ini mencapai batas perintah per menit ({ $limit }). Coba lagi dalam { $seconds } dtk.
limit-chat-budget = Jatah harian obrolan ini sudah habis. Saya menjawab lagi mulai { $until } UTC.
limit-queue = Sudah ada { $limit } pertanyaan yang menunggu di sini. Silakan bertanya lagi setelah sebagian terjawab.
command-start = apa yang dilakukan bot ini
command-help = daftar perintah
command-ask = ajukan pertanyaan: /ask Bagaimana memulainya?
command-mode = seberapa teliti jawaban diperiksa
command-why = bagaimana jawaban terakhir dibuat
command-sources = kutipan di balik jawaban terakhir
command-stop = hentikan jawaban yang sedang dibuat
command-reset = lupakan percakapan ini
command-language = pilih bahasa yang saya pakai dengan Anda
command-privacy = data Anda yang disimpan: lihat, ekspor, hapus
command-claim = jadi pemilik dengan kode dari log
command-documents = dokumen dan jumlah kutipannya
command-add = tambah dokumen: kirim berkas dengan keterangan ini
command-remove = hapus dokumen yang ditambahkan: /remove NAMA
command-reindex = baca ulang dokumen; /reindex rebuild: semuanya
command-stats = pertanyaan, label, token, biaya, dan waktu
command-unanswered = pertanyaan yang tidak dijawab dokumen
command-allow = izinkan orang atau grup ini: /allow ID
command-deny = blokir orang atau grup ini: /deny ID
command-admins = daftar administrator; pemilik menambah dan menghapus
command-health = periksa apakah semuanya berfungsi
answer-late = Saya sempat tidak aktif dan tidak dapat menjawab yang ditanyakan di sini. Jika masih penting, silakan tanyakan lagi.
command-late = Saya sedang tidak aktif ketika Anda mengirim { $command }, jadi perintah itu tidak dijalankan. Kirim lagi jika masih diperlukan.
admin-second-poller = ⚠️ Program lain menerima pesan bot ini dengan token yang sama, sehingga masing-masing melewatkan sebagian pesan. Hentikan salah satunya, atau beri token sendiri dari @BotFather.
admin-failed = ⚠️ Sebuah pertanyaan atau perintah dibatalkan karena kesalahan: { $reason }. Lihat log untuk rinciannya.
admin-gap = ⚠️ Saya tidak aktif selama { $hours } jam. Telegram menyimpan pesan hanya 24 jam, jadi yang dikirim sebelum itu hilang.
admin-spent = ℹ️ Obrolan { $chat } sudah menghabiskan token hari ini ({ $tokens }, limits.chat_tokens_per_day). Sampai { $until } UTC tidak ada model yang menjawab di sana.
admin-trouble = ⚠️ Saat ini saya tidak dapat menerima apa pun yang baru: { $reason }. Semua yang sudah diterima aman.
admin-well = ✅ Pekerjaan bisa dicatat lagi; saya lanjutkan.
start-what = Saya { $name }. Saya menjawab pertanyaan dari { $documents ->
    [0] dokumen (belum ada yang ditambahkan)
   *[other] { $documents } dokumen
} dan memeriksa setiap jawaban sebelum Anda mengandalkannya.
start-private = Kirim saja pertanyaan Anda.
start-group = Di sini, sebut @{ $username }, balas salah satu pesan saya, atau kirim /ask dan pertanyaan Anda.
start-label = Di bawah setiap jawaban terlihat seberapa jauh ia dapat dipercaya, beserta sumbernya.
start-discreet = Pesan yang tidak ditujukan kepada saya tidak saya jawab dan tidak saya simpan.
start-admin = Anda administrator bot ini: kirim berkas dengan keterangan /add untuk menambah dokumen; /health menunjukkan apakah semuanya berfungsi.
start-help = /help menampilkan daftar perintah.
start-unclaimed = Bot ini belum ada pemiliknya. Jika ini milik Anda, kirim /claim dan kode dari log-nya.
help-title = Perintah:
help-admins = Untuk administrator:
command-elsewhere = Kirim { $command } kepada saya di obrolan pribadi.
confirm-yes = Ya
confirm-no = Tidak
confirm-dropped = Tidak ada yang diubah.
press-not-asked = Hanya pengirim perintah yang dapat memutuskan ini.
press-too-late = Tombol ini sudah tidak berlaku. Kirim perintahnya lagi.
mode-title = Seberapa teliti jawaban di obrolan ini diperiksa?
mode-admins = Di grup, hanya administrator bot ini yang dapat memilih mode.
mode-name-quick = cepat
mode-name-balanced = seimbang
mode-name-careful = teliti
language-name = Bahasa Indonesia
language-choose = Bahasa apa yang saya pakai dengan Anda? Jawaban mengikuti bahasa pertanyaannya.
language-unknown = Saya tidak bisa berbahasa { $name }.
language-telegram = seperti di Telegram
language-set = Mulai sekarang saya memakai bahasa Indonesia.
privacy-kept = Data yang disimpan tentang Anda:
    · pesan percakapan kita: { $messages }
    · pertanyaan dalam daftar administrator: { $questions }
    · catatan kerja untuk Anda, dengan teks pesan Anda: { $jobs }
    · entri internal tentang kerja itu: { $others }
    · nama, bahasa, dan id Anda
    Penghapusan menghilangkan semuanya. Yang tersisa: jumlah tanpa nama, keputusan administrator tentang id Anda, dan selama dua hari waktu pertanyaan dan perintah Anda. Catatan penghapusan itu sendiri, dan catatan pesan orang lain yang mengutip Anda, terhapus otomatis setelah { $days } hari.
privacy-export = 📥 Ekspor sebagai berkas
privacy-erase = 🗑 Hapus semuanya
privacy-exported = Berkasnya ada di obrolan ini.
privacy-file = Semua yang disimpan tentang Anda, dalam JSON.
privacy-confirm = Hapus semua yang disimpan tentang Anda? Jawaban dan perintah yang sedang dikerjakan untuk Anda dihentikan. Ini tidak dapat dibatalkan.
privacy-erased = Dihapus: pesan ({ $messages }), pertanyaan ({ $questions }), catatan kerja ({ $jobs }), dan semua yang lain tentang Anda. Catatan penghapusan ini, dan catatan pesan orang lain yang mengutip Anda, terhapus otomatis setelah { $days } hari.
claim-how = Kirim /claim dan kode dari log bot yang sedang berjalan.
claim-owner = Sekarang Anda pemilik bot ini. Kirim berkas dengan keterangan /add untuk menambah dokumen, atau /allow dan sebuah id untuk memberi akses; /help menampilkan semuanya.
claim-yours = Bot ini sudah milik Anda. Kirim berkas dengan keterangan /add untuk menambah dokumen; /help menampilkan semuanya.
claim-wrong = Kode salah. Kode yang berlaku ada di log bot yang sedang berjalan dan berganti setiap kali bot dimulai.
claim-too-many = Terlalu banyak kode salah. Mulai ulang bot untuk mendapat kode baru.
claim-closed = Bot ini sudah punya pemilik.
claim-not-private = Kirim /claim di obrolan pribadi, dengan nama Anda sendiri.
allow-how = Kirim /allow dan sebuah id, balas pesan seseorang dengan /allow, atau kirim /allow di grup untuk mengizinkannya.
deny-how = Kirim /deny dan sebuah id, balas pesan seseorang dengan /deny, atau kirim /deny di grup untuk memblokirnya.
allow-person = Akses diberikan kepada { $id }.
allow-group = Akses diberikan kepada grup { $id }.
deny-person = Akses { $id } dicabut.
deny-group = Akses grup { $id } dicabut.
decided-unknown = Saya belum pernah menerima apa pun dari id ini, jadi periksa apakah benar.
admins-title = Pemilik dan administrator:
admins-how = Pemilik menambah administrator dengan /admins add ID dan menghapusnya dengan /admins remove ID.
role-owner = pemilik
role-admin = administrator
admins-confirm-add = Jadikan { $id } administrator?
admins-confirm-remove = Cabut hak administrator { $id }?
admins-added = { $id } sekarang administrator.
admins-already = { $id } sudah administrator.
admins-removed = { $id } bukan administrator lagi.
admins-none = { $id } bukan administrator. /admins menampilkan daftarnya.
documents-none = Belum ada dokumen. Untuk menambah dokumen, kirim berkas dengan keterangan /add.
documents-title = Berkas: { $documents } (halaman { $page } dari { $pages })
documents-how = /documents menampilkan berkas; /documents 2 menampilkan halaman kedua.
documents-passages = { $passages } kutipan
documents-added = ditambahkan di Telegram
documents-more-notes = … dan { $notes } lagi
phase-reading = membaca
phase-embedding = menyiapkan pencarian
phase-writing = menyimpan
reindex-began = ⏳ Membaca dokumen. Pertanyaan tetap dijawab.
reindex-running = Dokumen sedang dibaca: dimulai oleh { $who } pukul { $since }. Tunggu sampai selesai.
reindex-elsewhere = Program lain sedang membaca dokumen. Coba lagi setelah selesai.
reindex-failed = Dokumen tidak dapat dibaca: { $reason }. Jawaban tetap memakai yang sudah dibaca sebelumnya.
reindex-confirm = Baca dan siapkan semua dokumen dari awal? Ini bisa lama; pertanyaan tetap dijawab.
reindex-how = /reindex membaca yang berubah, /reindex rebuild membaca semuanya lagi.
reindex-done = ✔ Dokumen: { $documents }, kutipan: { $passages }, dalam { $seconds }
reindex-changes = baru: { $added } · berubah: { $changed } · dihapus: { $removed } · gagal: { $failed }
add-how = Kirim berkas dengan keterangan /add, atau balas sebuah berkas dengan /add. Ukuran maksimum: { $size }. Jenis berkas: { $endings }.
add-kind = Saya tidak dapat membaca berkas seperti { $name }. Yang dapat saya baca: { $endings }.
add-too-big = { $name } terlalu besar. Ukuran maksimum { $size }.
add-gone = Saya tidak dapat mengunduh { $name } dari Telegram. Kirim berkasnya lagi.
add-failed = { $name } tidak dapat disimpan: { $reason }
add-unreadable = { $name } tidak dapat dibaca, jadi tidak ditambahkan: { $reason }
add-not-indexed = { $name } tersimpan, tetapi belum bisa dicari: { $reason }. Kirim /reindex nanti.
add-began = ⏳ Membaca { $name } …
add-done = ✔ { $name } ditambahkan. Kutipan: { $passages }
add-replaced = ✔ { $name } diganti. Kutipan: { $passages }
add-confirm = Dokumen bernama { $name } sudah ada. Ganti?
remove-how = Kirim /remove dan nama dokumen yang ditambahkan di Telegram; /documents menampilkannya.
remove-confirm = Hapus { $name }? Jawaban tidak akan memakainya lagi.
remove-began = ⏳ Menghapus { $name } …
remove-done = ✔ { $name } dihapus.
remove-not-indexed = { $name } dihapus, tetapi jawaban mungkin masih memakainya: { $reason }. Kirim /reindex nanti.
remove-corpus = { $name } tidak ditambahkan di Telegram. Letaknya di { $path }: hapus di sana, lalu kirim /reindex.
remove-namesake = Dokumen bernama sama yang ditambahkan di Telegram disebut { $name }: kirim /remove { $name } untuk menghapusnya.
remove-similar = Tidak ada dokumen tambahan { $name }. Maksud Anda: { $names }?
remove-unknown = Tidak ada dokumen tambahan { $name }. /documents menampilkan semuanya.
stats-how = /stats menampilkan 7 hari terakhir, /stats 1 hari ini, /stats 30 30 hari terakhir.
stats-title = Pemakaian: { $period } (UTC)
stats-today = hari ini
stats-days = { $days } hari
stats-nothing = Tidak ada pertanyaan.
stats-questions = pertanyaan
stats-people = orang
stats-label-verified = terverifikasi
stats-label-general = umum
stats-label-unverified = belum terverifikasi
stats-label-not_in_documents = tidak ada
stats-documents = pakai dokumen
stats-half = separuh dalam
stats-most = 19 dari 20 dalam
stats-calls = panggilan
stats-tokens = token masuk + keluar
stats-cost = biaya
stats-saved = penilaian dihemat
saved-checks = pemeriksaan bentuk
saved-evidence = pencocokan dokumen
saved-repairs = perbaikan
stats-picture-questions = Pertanyaan per hari
stats-picture-seconds = Detik hingga jawaban
stats-picture-half = separuh pertanyaan
stats-picture-most = 19 dari 20
unanswered-title = Pertanyaan yang tidak dijawab dokumen dalam { $days } hari terakhir, yang tersering lebih dulu:
unanswered-line = { $count }× { $question } (terakhir: { $last })
unanswered-none = Tidak ada pertanyaan yang tak terjawab dalam { $days } hari terakhir. Jawaban yang tidak dapat diperiksa tidak ditampilkan di sini; /stats menghitungnya.
health-title = Status:
health-database = basis data
health-jobs = pekerjaan berjalan
health-given-up = pekerjaan gagal
health-documents = dokumen
health-none = tidak ada
health-models = model
health-backlog = menunggu di Telegram
health-disk = disk
health-uptime = berjalan selama
health-version = versi
health-fine = baik
health-silent = tidak menjawab
health-held = { $documents } dokumen, { $passages } kutipan, versi { $generation }
health-faults = berkas gagal: { $files }; lihat /documents
health-free = { $size } kosong

# Guided interviews.
command-interview = mulai atau lanjutkan wawancara terpandu
command-status = sejauh mana wawancara berjalan
command-undo = batalkan jawaban terakhir
command-finish = selesaikan wawancara
command-export = ambil wawancara sebagai berkas
interview-choose = Wawancara mana yang ingin Anda lakukan?
interview-begun = Saya mengajukan satu pertanyaan setiap kali; jawablah dengan kata-kata sendiri atau dengan tombol. /status menunjukkan yang sudah saya ketahui, /undo membatalkan jawaban terakhir, /finish mengakhiri wawancara. Pertanyaan yang tercakup dalam dokumen tetap dijawab, begitu pula apa pun yang ditulis setelah /ask.
interview-resumed = Anda melanjutkan wawancara ini.
interview-none = Tidak ada wawancara yang terbuka. /interview memulainya.
interview-progress = { $title }: { $done } dari { $total } sudah jelas
interview-besides = Selain itu
interview-no-value = tidak ada
interview-missing = Masih kurang:
interview-talk = Isi percakapan
interview-user = Anda
interview-assistant = Bot
interview-system = Sistem
interview-status-collecting = Data sedang dikumpulkan.
interview-status-gating = Semua data sudah ada; tinggal pemeriksaan terakhir.
interview-status-ready = Semuanya sudah ada.
interview-status-blocked = Tidak boleh ada pertanyaan lagi.
interview-fact-confirmed = Anda yang mengatakan
interview-fact-proposed = perlu dikonfirmasi
interview-fact-disputed = bertentangan
interview-fact-not-applicable = tidak ada
interview-fact-open = belum jelas
interview-complete = Semuanya sudah ada. /finish mengakhiri wawancara, /export memberikannya; pesan lain akan mengubahnya.
interview-unchecked = Semuanya sudah ada, tetapi pemeriksaan terakhir tidak bisa dilakukan. /finish mencobanya lagi.
interview-blocked = Saya tidak boleh bertanya lagi. Tulislah yang bisa Anda tambahkan, atau akhiri dengan /finish.
interview-why = Alasan bertanya: { $why }
interview-undone = Dibatalkan.
interview-finished = Wawancara selesai. /export memberikannya.
interview-close = Tutup apa adanya
interview-go-on = Lanjutkan
interview-closed = Wawancara ditutup apa adanya. /export memberikannya.
interview-file = Wawancara sebagai data
interview-page = Wawancara sebagai halaman
interview-terminal = Jawablah dengan kata-kata sendiri atau nomor pilihan. /status, /undo, /finish, /export FOLDER, /quit
interview-session = Wawancara { $id }; --session melanjutkannya.
interview-halted =
    { $code ->
        [model_unavailable] Pesan Anda disimpan, tetapi belum bisa saya olah: model tidak menjawab. Kirim pesan berikutnya, dan saya olah keduanya.
        [budget_exhausted] Pesan Anda disimpan, tetapi belum bisa saya olah: itu akan memakan terlalu banyak. Kirim pesan berikutnya, dan saya olah keduanya.
       *[other] Pesan Anda disimpan, tetapi belum bisa saya olah: balasan model tidak bisa dipakai. Kirim pesan berikutnya, dan saya olah keduanya.
    }
