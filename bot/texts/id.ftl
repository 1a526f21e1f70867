label-verified = sudah diperiksa dengan dokumen
label-general = pengetahuan umum atau percakapan ini, bukan dari dokumen
label-unverified = belum diperiksa: pastikan dahulu sebelum mengandalkannya
label-not_in_documents = tidak ada dalam dokumen
sources = Sumber
nearest-sources = Bagian terdekat
you = Anda
chat-welcome = Silakan bertanya tentang dokumen Anda. /help menampilkan daftar perintah, Ctrl-D untuk keluar.
chat-help =
    /why      bagaimana jawaban terakhir didapat
    /sources  bagian dokumen yang mendasarinya
    /reset    lupakan percakapan ini
    /quit     keluar (bisa juga dengan Ctrl-D)
chat-resumed = Melanjutkan percakapan ini ({ $messages } pesan); /reset untuk melupakannya.
chat-reset = Sudah dilupakan. Apa yang ingin Anda ketahui?
chat-nothing-yet = Belum ada jawaban.
chat-no-sources = Jawaban terakhir tidak memakai dokumen.
chat-unknown-command = Tidak ada perintah { $command }; /help menampilkan daftarnya.
chat-stopped = Dihentikan. Percakapan tetap tersimpan.
chat-not-stored = Jawaban ini tidak tersimpan: { $reason }
chat-bye = Sampai jumpa. Percakapan tetap tersimpan.
step-recall = mengingat percakapan
step-classify = membaca pesan
step-draft = menulis draf
step-probe = melihat ke dalam dokumen
step-cover = melihat apakah dokumen membahas ini
step-evaluate = memeriksa
step-judge = bertanya kepada juri
step-retrieve = membaca dokumen
step-regenerate = menulis berdasarkan dokumen
step-rewrite = mencari dengan kata lain
model-failed = Model gagal: { $reason }
