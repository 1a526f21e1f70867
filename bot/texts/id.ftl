label-verified = sudah diperiksa dengan dokumen
label-general = pengetahuan umum atau percakapan ini, bukan dari dokumen
label-unverified = belum diperiksa: pastikan dahulu sebelum mengandalkannya
label-not_in_documents = tidak ada dalam dokumen
mode-quick = quick: hanya pemeriksaan gratis dan perbandingan dengan dokumen, biasanya 1–2 panggilan model
mode-balanced = balanced: juri memutuskan bila pemeriksaan belum cukup, biasanya 1–3 panggilan model
mode-careful = careful: peninjau membaca setiap jawaban, kritikus membaca yang belum terverifikasi, biasanya 2–7 panggilan model
sources = Sumber
nearest-sources = Bagian terdekat
you = Anda
chat-welcome = Silakan bertanya tentang dokumen Anda. /help menampilkan daftar perintah, Ctrl-D untuk keluar.
chat-help =
    /why      bagaimana jawaban terakhir didapat
    /sources  bagian dokumen yang mendasarinya
    /mode     seberapa banyak pemeriksaan: quick, balanced, atau careful
    /reset    lupakan percakapan ini
    /quit     keluar (bisa juga dengan Ctrl-D)
chat-resumed = Melanjutkan percakapan ini ({ $messages } pesan); /reset untuk melupakannya.
chat-reset = Sudah dilupakan. Apa yang ingin Anda ketahui?
chat-mode = Mode: { $description }
chat-mode-unknown = Tidak ada mode { $mode }; yang ada:
chat-nothing-yet = Belum ada jawaban.
chat-no-sources = Jawaban terakhir tidak memakai dokumen.
chat-unknown-command = Tidak ada perintah { $command }; /help menampilkan daftarnya.
chat-stopped = Dihentikan. Percakapan tetap tersimpan.
chat-not-stored = Jawaban ini tidak tersimpan: { $reason }
chat-bye = Sampai jumpa. Percakapan tetap tersimpan.
step-recall = mengingat percakapan
step-classify = membaca pesan
step-draft = menulis draf
step-continue = melanjutkan dari bagian yang terpotong
step-probe = melihat ke dalam dokumen
step-cover = melihat apakah dokumen membahas ini
step-evaluate = memeriksa
step-judge = bertanya kepada juri
step-review = bertanya kepada peninjau
step-compare = membandingkan versi
step-retrieve = membaca dokumen
step-regenerate = menulis berdasarkan dokumen
step-rewrite = mencari dengan kata lain
step-critique = bertanya kepada kritikus
step-second_opinion = bertanya kepada kritikus kedua
step-refine = memperbaiki
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
why-failed = Tidak ada model bahasa yang bisa menulis jawaban, jadi inilah yang tetap bisa diberikan.
why-small-talk = Obrolan ringan: langsung dijawab, tidak ada yang dicari.
why-general = Dokumen tidak membahas ini, jadi jawabannya dari pengetahuan umum atau percakapan kita.
why-confirmed = Draf pertama sesuai dengan dokumen, jadi dibiarkan apa adanya.
why-read = Ditulis dari { $documents ->
   *[other] { $documents } dokumen
}; setiap nomor dalam kurung sudah dicocokkan dengan sumbernya.
why-corrected = Draf pertama tidak terbukti, jadi jawaban ditulis ulang dari { $documents ->
   *[other] { $documents } dokumen
}; setiap nomor dalam kurung sudah dicocokkan dengan sumbernya.
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
quality-adequate = baik
quality-needs_docs = perlu dokumen
quality-hallucination = menyatakan hal yang tidak ada dalam dokumen
quality-off_topic = tidak menjawab pertanyaan
quality-unchecked = tidak dinilai
verdict-rules = menurut aturan gratis
verdict-evidence = dengan membandingkan dokumen
verdict-judge = menurut model juri
plain-number = { $value }
button-useful = 👍 Berguna
button-wrong = 👎 Salah
button-sources = 📄 Sumber
button-why = 🔎 Mengapa
button-stop = ⏹ Hentikan
button-chosen = ✓ { $button }
press-gone = Jawaban ini tidak disimpan lagi, jadi tombolnya tidak berfungsi.
press-not-yours = Hanya yang bertanya yang dapat menilai jawaban ini.
press-useful = Terima kasih, dicatat sebagai berguna.
press-wrong = Terima kasih, dicatat sebagai salah. Administrator melihatnya di daftar mereka.
press-taken-back = Penilaian ditarik kembali.
press-shown = Sudah ditampilkan di obrolan ini.
press-not-to-stop = Hanya yang bertanya, atau administrator, yang dapat menghentikan jawaban ini.
press-finished = Jawaban ini sudah selesai.
press-working = Pertanyaan ini masih sedang dijawab.
stop-done = { $answers ->
   *[other] Dihentikan: { $answers } jawaban.
}
stop-nothing = Tidak ada pertanyaan Anda yang sedang dijawab di sini.
answer-stopped = ⏹ Dihentikan.
answer-arriving = ✍ Jawaban segera muncul …
answer-queued = ⏳ Dalam antrean: { $ahead ->
   *[other] { $ahead } pertanyaan dijawab
} sebelum yang ini. Jawabannya akan muncul di sini.
answer-failed = Maaf, pertanyaan ini tidak dapat dijawab: ada yang rusak di pihak saya. Silakan bertanya lagi nanti, dan beri tahu administrator jika masih terjadi.
ask-how = Tulis pertanyaan Anda setelah perintah: /ask Bagaimana cara memulai?
question-too-long = Pertanyaan ini berisi { $characters } karakter, padahal batasnya { $limit }. Silakan bertanya lebih singkat.
question-unreadable = Saya tidak dapat membacanya sebagai teks. Silakan kirim pertanyaan sebagai teks biasa.
refused-private = Saya belum mengenal Anda. Administrator bot ini dapat memberi Anda akses: berikan id Anda kepadanya, { $user }.
refused-private-groups = Saya hanya menjawab di grup. Administrator bot ini dapat memberi Anda akses di sini juga: berikan id Anda kepadanya, { $user }.
refused-person = Administrator bot ini telah menutup akses untuk Anda.
refused-group = Grup ini belum boleh bertanya kepada saya. Administrator bot dapat mengizinkannya dengan /allow; id grup ini { $chat }.
refused-group-admin = Grup ini belum diizinkan, dan semua orang di sini akan membaca jawabannya. Kirim /allow di sini untuk mengizinkannya.
refused-anonymous = Saya tidak tahu siapa Anda selama Anda menulis secara anonim. Silakan menulis dengan nama Anda sendiri.
refused-admins-only = Hanya administrator bot ini yang dapat melakukannya.
refused-named-only = Itu memerlukan orang yang bernama: matikan mode anonim lalu kirim lagi.
refused-yourself = Anda tidak dapat melakukannya pada diri sendiri.
refused-owner-only = Hanya pemilik bot ini yang dapat melakukannya.
limit-user-minute = Itu sudah { $limit } pertanyaan dalam satu menit. Saya menjawab lagi dalam { $seconds } dtk.
limit-user-hour = Itu sudah { $limit } pertanyaan dalam satu jam. Saya menjawab lagi mulai { $until } UTC.
limit-chat-minute = Itu sudah { $limit } pertanyaan dari obrolan ini dalam satu menit. Saya menjawab lagi dalam { $seconds } dtk.
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
command-language = bahasa yang saya pakai dengan Anda
command-privacy = apa yang disimpan tentang Anda: lihat, ekspor, hapus
command-claim = jadi pemilik dengan kode dari log
command-documents = dokumen dan jumlah kutipannya
command-add = tambah dokumen: kirim berkas dengan keterangan ini
command-remove = hapus dokumen yang ditambahkan: /remove NAMA
command-reindex = baca ulang dokumen; /reindex rebuild: semuanya
command-stats = pertanyaan, label, token, biaya, dan waktu
command-unanswered = yang tidak dijawab oleh dokumen
command-allow = izinkan orang atau grup ini: /allow ID
command-deny = tutup bot bagi orang atau grup ini: /deny ID
command-admins = siapa yang berwenang; pemilik menambah dan menghapus
command-health = apakah semuanya berfungsi?
answer-late = Saya sempat tidak aktif, dan pertanyaan ini dari waktu itu. Jika masih penting, silakan tanyakan lagi.
admin-failed = ⚠️ Sebuah pertanyaan atau perintah dibatalkan karena kesalahan di pihak saya: { $reason }. Log memuat rinciannya.
admin-gap = ⚠️ Saya tidak aktif selama { $hours } jam. Telegram menyimpan pesan hanya 24 jam: yang dikirim sebelumnya hilang.
admin-trouble = ⚠️ Saat ini saya tidak menerima apa pun yang baru: { $reason }. Yang sudah diterima tetap tersimpan.
admin-well = ✅ Pekerjaan bisa dicatat lagi; saya lanjutkan.
